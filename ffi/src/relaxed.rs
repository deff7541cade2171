//! Greedy least squares, whatever its precision.

codes! {
    i32 LCC_RELAXED_GREEDY = 0, "Relaxed greedy (Jones, Barron).";
    i32 LCC_RELAXED_FRANK_WOLFE = 1, "Frank-Wolfe.";
    i32 LCC_RELAXED_ORTHOGONAL = 2, "Orthogonal matching pursuit.";
}
