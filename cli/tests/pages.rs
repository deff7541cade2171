//! The pages of `docs/` are what they say: every block runs, prints what is promised, and draws the page's pictures.
#![cfg(unix)]

mod common;
use common::Folder;
use lcc_tests::tools::{have, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a page as somebody would who reads it at the root of a checkout. (`docs/run` says how.)
fn run(page: &str) {
    let root = root();
    let folder = Folder::new(&format!("page_{page}"));
    for name in ["c_examples", "tests"] {
        std::os::unix::fs::symlink(root.join(name), folder.path().join(name)).expect("a link");
    }
    let lcc = Path::new(env!("CARGO_BIN_EXE_lcc")).parent().expect("a folder").to_path_buf();
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([lcc].into_iter().chain(std::env::split_paths(&usual)));
    let output = Command::new(root.join("docs/run"))
        .arg(root.join("docs").join(format!("{page}.md")))
        .env("PATH", path.expect("a path"))
        .current_dir(folder.path())
        .output()
        .expect("a shell");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8(said).expect("UTF-8"));
    assert!(output.status.success(), "{}{}", said[0], said[1]);
}

/// `own_density` and `papers_python` are run where LCC is installed, by `tests/consumers/python`, `papers_julia` by
/// `tests/consumers/julia`; `command_line` in part, by `own_data.rs`; `install` by `tests/install`; `hosts` and `limits` have no commands.
const ELSEWHERE: [&str; 8] = [
    "README",
    "own_density",
    "papers_python",
    "papers_julia",
    "command_line",
    "install",
    "hosts",
    "limits",
];

macro_rules! pages {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                run(stringify!($name));
            }
        )*

        #[test]
        fn every_page_is_run() {
            let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
            let mut pages: Vec<_> = std::fs::read_dir(docs)
                .expect("the pages")
                .filter_map(|entry| entry.expect("a file").file_name().into_string().ok())
                .filter_map(|name| name.strip_suffix(".md").map(String::from))
                .filter(|name| !ELSEWHERE.contains(&name.as_str()))
                .collect();
            pages.sort();
            assert_eq!(pages, [$(stringify!($name)),*]);
        }
    };
}

pages!(classes counts drift gallery inference papers soft_sensor);

#[test]
fn how_the_tutorials_begin() {
    run("README");
}

/// A page that promises what is not so is found out.
#[test]
fn pages_are_held_to_their_word() {
    let folder = Folder::new("page_wrong");
    let root = root();
    for (page, complaint) in [
        ("```sh\nfalse\n```\n", "failed"),
        ("```sh\necho 1\n```\n```text\n2\n```\n", "promised \"2\", printed \"1\""),
        ("```sh\necho 1; echo 2\n```\n```text\n1\n```\n", "printed \"2\", not promised"),
        ("```sh\necho 1\n```\n```text\n...\n1\n2\n```\n", "promised \"2\""),
        ("It is 1.25.\n\n```sh\necho 1.5\n```\n", "print none of these numbers"),
        ("![p](p.svg)\n\n```sh\necho > out/p.svg\n```\n", "p.svg"),
    ] {
        folder.write("page.md", page);
        let output = Command::new(root.join("docs/run"))
            .arg("page.md")
            .current_dir(folder.path())
            .output()
            .expect("a shell");
        let said =
            String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(complaint), "{page}: {said}");
    }
    folder.write(
        "page.md",
        "It is 1.5.\n\n```sh\necho 1; echo 2; echo 1.5\n```\n```text\n1\n...\n```\n",
    );
    let run =
        Command::new(root.join("docs/run")).arg("page.md").current_dir(folder.path()).status();
    assert!(run.expect("a shell").success());
}

/// What follows `attribute="` in a page, up to the quote.
fn values<'a>(page: &'a str, attribute: &'a str) -> impl Iterator<Item = &'a str> {
    page.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

fn html_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            html_below(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "html") {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "long: needs Python and cmark-gfm"]
fn every_link_of_the_site_leads_somewhere() {
    if !have("python3", "docs/build") || !have("cmark-gfm", "docs/build") {
        return;
    }
    let folder = Folder::new("site");
    let built = Command::new(root().join("docs/build"))
        .arg(folder.path())
        .env("LCC", env!("CARGO_BIN_EXE_lcc"))
        .output()
        .expect("docs/build runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut pages = Vec::new();
    html_below(folder.path(), &mut pages);
    let mut followed = 0;
    for page in &pages {
        let text = std::fs::read_to_string(page).expect("UTF-8");
        assert!(!text.contains("<script"), "{page:?}");
        for link in values(&text, "href=\"").chain(values(&text, "src=\"")) {
            if link.contains(':') {
                continue;
            }
            let (to, fragment) = link.split_once('#').unwrap_or((link, ""));
            let to = if to.is_empty() { page.clone() } else { page.with_file_name("").join(to) };
            assert!(to.is_file(), "{page:?}: {link}");
            let anchor = format!("id=\"{fragment}\"");
            let there = || std::fs::read_to_string(&to).is_ok_and(|text| text.contains(&anchor));
            assert!(fragment.is_empty() || there(), "{page:?}: {link}");
            followed += 1;
        }
    }
    assert!(pages.len() > 50 && followed > 1000, "{} pages, {followed} links", pages.len());
}
