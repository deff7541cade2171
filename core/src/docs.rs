// The pages of `core/docs`, whose examples are tests. `links.md` says what their links are here; at the
// end of each page stands where they lead in the repository.

#![doc = include_str!("../docs/links.md")]
#![doc = include_str!("../docs/README.md")]

macro_rules! page {
    ($name:ident, $file:literal $(, $($inner:tt)+)?) => {
        #[doc = include_str!("../docs/links.md")]
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name { $($($inner)+)? }
    };
}

page!(backprop, "backprop.md");
page!(choosing, "choosing.md");
page!(deep, "deep.md");
page!(errata, "errata/README.md",
    page!(ball, "errata/ball.md");
    page!(gaussian, "errata/gaussian.md");
    page!(greedy, "errata/greedy.md");
    page!(talk, "errata/talk.md");
);
page!(glm, "glm.md");
page!(idea, "idea.md");
page!(notation, "notation.md");
page!(papers, "papers.md");
page!(penalty, "penalty.md");
page!(slides, "slides.md");
