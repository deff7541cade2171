//! What is done to a table once its cells are cut: columns left out, decimal commas made points.

use super::{Reading, Table, lists, shown, similar};
use crate::fault::Fault;
use crate::text::real;
use crate::watch::Watch;

/// A number in groups of three with points between them, as 1.234.567, and what follows.
fn grouped(cell: &str) -> Option<(String, &str)> {
    let (whole, rest) = cell.split_at(cell.find(',').unwrap_or(cell.len()));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let mut groups = digits.split('.');
    let first = groups.next().filter(|g| (1..=3).contains(&g.len()))?;
    let three = |g: &str| g.len() == 3 && g.bytes().all(|c| c.is_ascii_digit());
    let fits =
        first.bytes().all(|c| c.is_ascii_digit()) && digits.contains('.') && groups.all(three);
    fits.then(|| (whole.replace('.', ""), rest))
}

/// Where the decimal comma of a cell is that is a number but for it.
pub(super) fn decimal_comma(cell: &str) -> Option<usize> {
    let sign = usize::from(cell.starts_with(['+', '-']));
    let comma = sign + cell[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = (&cell[..comma], cell[comma..].strip_prefix(',')?);
    let digits = rest.starts_with(|c: char| c.is_ascii_digit());
    let tail = !rest.starts_with(['+', '-']) && real(&format!("{whole}.{rest}")).is_some();
    (digits && tail && !rest.contains('.')).then_some(comma)
}

impl Table {
    /// Takes the columns out that are not wanted.
    pub(super) fn choose(&mut self, how: &Reading<'_>) -> Result<(), Fault> {
        let mut wrong = self.unknown("--only", how.only);
        wrong.extend(self.unknown("--id", how.id));
        if !how.absent {
            wrong.extend(self.unknown("--drop", how.drop));
        }
        Fault::all(wrong)?;
        if how.only.or(how.drop).or(how.id).is_none() {
            return Ok(());
        }
        let stays = |name: &str| {
            let listed = how.only.is_none_or(|_| lists(how.only, name)) && !lists(how.id, name);
            (listed || how.beside.contains(&name)) && !lists(how.drop, name)
        };
        let those = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..self.names.len()).filter(|k| is(&self.names[*k])).collect()
        };
        let (kept, ids) = (those(&stays), those(&|name| lists(how.id, name)));
        let rows = self.cells.chunks_exact(self.names.len().max(1));
        self.identities = rows.flat_map(|row| ids.iter().map(|k| row[*k])).collect();
        self.ids = ids.iter().map(|k| self.names[*k].clone()).collect();
        self.keep(&kept);
        Ok(())
    }

    /// Takes all other columns out.
    pub(super) fn keep(&mut self, kept: &[usize]) {
        let rows = self.cells.chunks_exact(self.names.len().max(1));
        self.cells = rows.flat_map(|row| kept.iter().map(|k| row[*k])).collect();
        self.place = kept.iter().map(|k| self.place[*k]).collect();
        self.names = kept.iter().map(|k| self.names[*k].clone()).collect();
    }

    /// The names of a list that are no column's.
    fn unknown(&self, option: &str, list: Option<&str>) -> Vec<Fault> {
        let names = list.into_iter().flat_map(|list| self.names_of(list));
        let absent = names.filter(|name| self.column(name).is_none());
        absent.map(|name| Fault::failed(self.no_column(name, option))).collect()
    }

    /// The names of a list by commas, which names of columns may hold themselves.
    pub(crate) fn names_of<'a>(&self, list: &'a str) -> Vec<&'a str> {
        let (mut rest, mut found) = (Some(list), Vec::new());
        while let Some(text) = rest {
            let ends = text.match_indices(',').map(|(at, _)| at).chain([text.len()]);
            let known = ends.clone().rfind(|end| self.column(&text[..*end]).is_some());
            let end = known.or(ends.clone().next()).unwrap_or(text.len());
            found.push(&text[..end]);
            rest = text.get(end + 1..);
        }
        found
    }

    /// That there is no such column, and which may be meant.
    pub(crate) fn no_column(&self, name: &str, option: &str) -> String {
        let near = similar(name, self.names.iter().map(String::as_str));
        let mut near = near.map_or(String::new(), |near| format!("; is \"{near}\" meant?"));
        if self.names.iter().all(|own| real(own).is_some()) {
            near = "; its first row holds numbers: is the row of names missing?".into();
        }
        format!("{}: no column called \"{}\" ({option}){near}", self.path, shown(name))
    }

    /// Makes points of decimal commas, and says so together with the delimiter, where that was guessed.
    pub(super) fn take_decimals(&mut self, guessed: bool, watch: &dyn Watch) -> Result<(), Fault> {
        let columns = self.names.len().max(1);
        let cell = |k: usize| self.at(k);
        let before = self.before;
        let apart = match self.between {
            b';' => "semicolons",
            b'|' => "bars",
            b'\t' => "tabs",
            _ => return Ok(()),
        };
        let all = || 0..self.cells.len();
        // Beside 1.234,5 points are no decimal ones, if all of them stand before three digits.
        let both = |cell: &str| {
            grouped(cell).is_some_and(|(_, rest)| {
                rest.len() > 1 && decimal_comma(&format!("0{rest}")).is_some()
            })
        };
        let pointed =
            |k: &usize| cell(*k).contains('.') && (real(cell(*k)).is_some() || both(cell(*k)));
        if all().any(|k| both(cell(k))) && all().filter(pointed).all(|k| grouped(cell(k)).is_some())
        {
            let edits = all().filter(pointed).filter_map(|k| {
                let (whole, rest) = grouped(cell(k))?;
                Some((k, format!("{whole}{rest}")))
            });
            let edits: Vec<_> = edits.collect();
            let (k, to) = (edits[0].0, edits[0].1.replace(',', "."));
            if self.before == 0 {
                watch.say(&format!(
                    "{}: \"{}\" is read as {to}, and so are others",
                    self.path,
                    shown(cell(k))
                ));
            }
            self.rewrite(edits);
        }
        let row = |k: usize| {
            let (row, k) = (before + k / columns + 1, k % columns);
            format!("row {row}, column {} ({})", self.place[k], self.names[k])
        };
        let cell = |k: usize| self.at(k);
        let all = || 0..self.cells.len();
        let comma = all().find(|k| decimal_comma(cell(*k)).is_some());
        let point = all().find(|k| cell(*k).contains('.') && real(cell(*k)).is_some());
        let which = "which of them is it? write all with one of them";
        if let (Some(comma), Some(point)) = (comma, point) {
            return Err(Fault::failed(format!(
                "{}: \"{}\" in {} has a decimal comma, \"{}\" in {} a decimal point: {which}",
                self.path,
                shown(cell(comma)),
                row(comma),
                shown(cell(point)),
                row(point)
            )));
        }
        let known = self.decimal;
        if let Some(k) = comma.filter(|_| known == b'.').or(point.filter(|_| known == b',')) {
            let (own, before) =
                if comma.is_some() { ("comma", "point") } else { ("point", "comma") };
            return Err(Fault::failed(format!(
                "{}: \"{}\" in {} has a decimal {own}, rows before it a decimal {before}: {which}",
                self.path,
                shown(cell(k)),
                row(k)
            )));
        }
        let guess = if guessed { " (--delimiter decides)" } else { "" };
        if let Some(first) = comma {
            let edits: Vec<_> = (first..self.cells.len())
                .filter_map(|k| {
                    let at = decimal_comma(cell(k))?;
                    Some((k, format!("{}.{}", &cell(k)[..at], &cell(k)[at + 1..])))
                })
                .collect();
            if known == 0 {
                let (from, to) = (shown(cell(first)), shown(&edits[0].1));
                watch.say(&format!(
                    "{}: cells are separated by {apart}, and \"{from}\" is read as {to}{guess}",
                    self.path
                ));
            }
            self.rewrite(edits);
            self.decimal = b',';
        } else {
            if guessed {
                watch.say(&format!("{}: cells are separated by {apart}{guess}", self.path));
            }
            if let Some(k) = point {
                let own = || {
                    all().map(|k| self.at(k)).filter(|own| own.contains('.') && real(own).is_some())
                };
                let thousands = |cell: &str| {
                    grouped(cell).is_some() && !cell.trim_start_matches('-').starts_with('0')
                };
                if self.before == 0 && own().all(thousands) && own().count() > 9 {
                    watch.say(&format!(
                        "{}: \"{}\" is read with a decimal point, as all such cells: where points divide thousands, \
                         take them out",
                        self.path,
                        self.at(k)
                    ));
                }
                self.decimal = b'.';
            }
        }
        Ok(())
    }
}
