//! Classes: their confusion, and how sure the model is, of rows and of noise.

use super::bins;
use super::html::{Chart, Page, number};
use crate::predict::ClassScores;
use crate::report::Report;
use crate::score::NoiseTrial;
use crate::text::short;

const MOST_CLASSES: usize = 12;
const PARTS: usize = 15;

pub(super) fn write(r: &Report, page: &mut Page) {
    let (Some(scores), Some(noise)) = (&r.scores.classes, &r.noise) else { return };
    page.section("How well it predicts", Some(super::trained(r)));
    write_scores(r, scores, noise, page);
    page.section("Confusion of classes", None);
    let times = r.confusion();
    if r.p.classes <= MOST_CLASSES {
        write_confusion(r, &times, page);
    } else {
        write_mistakes(r, &times, page);
    }
    page.section(
        "Calibration",
        Some("Whether the model knows how sure it may be, of rows like these and of what is like none."),
    );
    page.figures(|page| {
        draw_reliability(r, page);
        draw_confidence(r, noise, page);
    });
}

fn write_scores(r: &Report, s: &ClassScores, noise: &NoiseTrial, page: &mut Page) {
    let error = 100.0 * (s.accuracy * (1.0 - s.accuracy) / r.p.n as f64).sqrt();
    let facts = &noise.facts;
    page.facts(|page| {
        page.fact("Right", &format!("{:.2} \u{b1} {error:.1} %", 100.0 * s.accuracy));
        page.fact("Log loss", &number(-s.log_likelihood));
        page.fact("Brier score", &number(s.brier));
        page.fact("Calibration error", &number(s.calibration));
        let (held, promised) = (100.0 * s.coverage, short(100.0 * r.p.level));
        page.fact("Classes inside their sets", &format!("{held:.1} %, promised {promised} %"));
        page.fact("Classes in a set", &format!("{:.2} on average", s.set_size));
        let by = (facts.auroc_entropy, facts.auroc_mutual);
        let said = format!("{:.3} by entropy, {:.3} by mutual information", by.0, by.1);
        page.fact("Noise distinguished from these rows (AUROC)", &said);
    });
}

fn write_confusion(r: &Report, times: &[f64], page: &mut Page) {
    let names: Vec<String> = (0..r.p.classes).map(|c| r.class(c)).collect();
    let mut headings = vec!["Class, by predicted class"];
    headings.extend(names.iter().map(String::as_str));
    page.table(&headings, |page| {
        for (t, own) in times.chunks_exact(r.p.classes).enumerate() {
            page.raw("<tr><td>");
            page.say(&names[t]);
            page.raw("</td>");
            for (c, count) in own.iter().enumerate() {
                let text = if *count > 0.0 { count.to_string() } else { "\u{b7}".into() };
                let hit = if c == t { " class=\"hit\"" } else { "" };
                page.raw(&format!("<td{hit}>{text}</td>"));
            }
            page.raw("</tr>\n");
        }
    });
}

/// Of many classes the errors made most often.
fn write_mistakes(r: &Report, times: &[f64], page: &mut Page) {
    let classes = r.p.classes;
    let mut all: Vec<usize> = (0..times.len()).filter(|i| i / classes != i % classes).collect();
    all.retain(|i| times[*i] > 0.0);
    all.sort_by(|a, b| times[*b].total_cmp(&times[*a]));
    page.table(&["Class", "Predicted", "Rows"], |page| {
        for i in all.into_iter().take(MOST_CLASSES) {
            page.row(&[r.class(i / classes), r.class(i % classes), times[i].to_string()]);
        }
    });
}

fn draw_reliability(r: &Report, page: &mut Page) {
    let mut parts = [(0.0, 0.0, 0.0); PARTS];
    for (i, (y, top)) in r.targets().iter().zip(&r.p.top).enumerate() {
        let (rows, said, right) = &mut parts[((top * PARTS as f64) as usize).min(PARTS - 1)];
        *rows += 1.0;
        *said += top;
        *right += if r.named(i) == *y as usize { 1.0 } else { 0.0 };
    }
    let what = "Probability of the class that was named, against how often it was right";
    let mut c = Chart::new(210.0, what);
    c.range(0, 1.0 / r.p.classes as f64, 1.0, 0.0);
    c.range(1, 0.0, 1.0, 0.0);
    c.axes("Probability of the class named", "Share that was right");
    c.segment("d", (c.low[0], c.low[0]), (1.0, 1.0));
    for (rows, said, right) in parts.into_iter().filter(|(rows, ..)| *rows > 0.0) {
        let x: f64 = said / rows;
        let apart = 1.96 * (x * (1.0 - x) / rows).sqrt();
        c.segment("i", (x, (x - apart).max(0.0)), (x, (x + apart).min(1.0)));
        c.points("p2", [(x, right / rows)].into_iter());
    }
    let caption = "In bins of a fifteenth. Calibrated points lie on the diagonal; bars hold 19 of 20 by chance.";
    page.figure(&c.end(), caption);
}

fn draw_confidence(r: &Report, noise: &NoiseTrial, page: &mut Page) {
    let least = 1.0 / r.p.classes as f64;
    let shares = [bins(&r.p.top, least), bins(&noise.said.top, least)];
    let most = shares.iter().flatten().fold(0.0, |most: f64, share| most.max(*share));
    let mut c = Chart::new(210.0, "How sure of its class, on rows and on noise");
    c.range(0, least, 1.0, 0.0);
    c.range(1, 0.0, 100.0 * most, 0.0);
    c.axes("Probability of the class named", "Rows, percent");
    for (own, (kind, right)) in shares.iter().zip([("b", 0.08), ("b2", 0.5)]) {
        let bin = (1.0 - least) / own.len() as f64;
        for (k, share) in own.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let x = least + bin * (k as f64 + right);
            c.bar(kind, (x, x + 0.42 * bin), (0.0, 100.0 * share));
        }
    }
    let caption = "<span class=\"key\"></span>these rows<span class=\"key k2\"></span>uniform noise in the range of each \
                   column, of which it should be less sure.";
    page.figure_with(&c.end(), caption);
}
