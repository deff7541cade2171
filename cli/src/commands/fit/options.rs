//! What `lcc fit` takes.

use crate::args::{command, delimiter, id, interval, json, options, seed, unknown};
use clap::Command;

const EXAMPLES: &str = "  \
lcc fit --data train.csv --model m.lcc
  lcc fit --data export.csv --target price --drop id,date --test-share .2
  lcc fit --data train.csv --id device,serial --predictions p.csv
  lcc fit --data train.csv --cv 5 --time 2m --json fit.json
  lcc fit --data claims.csv --exposure years --layers 0 --predictions -
";

const METHODS: &str = "\
bnn: the posterior of a network by many short chains; network: of one layer by a few long ones, as devices run it; greedy: \
the papers' Greedy Bayes; prequential: its online form, which predicts each row one step ahead; relaxed: greedy least \
squares, the minimiser in place of the mean; or of bnn's network no chains, but: map, the mode, scales and noise by their \
evidence; maximum-likelihood (no hidden layer); laplace, a Gaussian about the mode; laplace-diagonal; last-layer, the \
output's weights given the rest at the mode; ensemble, ends of several starts; dropout, a network with units left out at \
random; variational, the Gaussian of the largest evidence bound without correlations, variational-full with all, \
variational-low-rank with some; backprop, Bayes by Backprop; or chains of part of the rows, on the posterior tempered at T = \
rows/batch: tempered, by all rows; batched, biased; sgld; penalty; or swag, Gaussians of the iterates of ascents by \
minibatches. Each says what distribution it aims at [bnn]";

const MEMBERS: &str = "\
members of lcc_bnn_options, by the names that lcc/f64.h explains: tail, noise, noise_shape, noise_rate, floor, size, \
input_scale, bias_scale, hidden_scale, outer_scale, linear_scale, intercept_sd, linear, scales (inputs, layers or known), standardise, reference, \
drop, drop_below, target_accept, jitter, first_step; of starts in place of Adam rate, delay; of variational and backprop \
rank, pairs, mixture, wide, narrow, halving, prune; of tempered, batched, sgld, penalty minibatches, penalty, barker, full, \
step, decay, delay; of swag rank, step";

const COUNT: (u32, u32) = (1, 1_000_000_000);
const ABOVE: (f64, f64) = (0.0, f64::INFINITY);

/// Its options, under headings.
pub(crate) fn options() -> Command {
    command("fit", "fits numbers, classes or counts", EXAMPLES).args(options! {
        text "data" "D.csv": "the rows";
        text "target" "NAME": "the target column [y]";
        text "method" "NAME": METHODS;
        text "output" "NAME": "what y is: regression, classes, counts; or student-t, gaussian, \
            mean-variance, mixture, log-normal, hurdle-log-normal, bernoulli, softmax, ordinal, poisson, \
            negative-binomial. regression: short fits choose; a hurdle where many are 0, and none negative \
            [guessed, and said, from y]";
        text "exposure" "NAME": "the column of a count's time, area or people at risk";
        count(1, 16) "components" "K": "of a mixture [2]";
        switch "no-calibration": "classes: the exact posterior predictive. Else its temperature is that \
            under which held-out rows score best, by two folds of shorter runs";
        + seed();
        text "precision" "f32|f64": "[f32; f64 of methods that climb to a mode]";
        count(1, 1024) "threads" "N": "by blocks of 8 chains: the same bytes, N + 1 times the memory [all \
            cores on a terminal, or 1]";
        time "time": "as many chains as there is time for: 30s, 2m, 1h, or seconds; of --cv with the folds. \
            What takes longer than T for one block is shortened, in steps and leapfrogs. Says the options \
            that give the same bytes without it";
        switch "quiet": "no progress bar";
    })
    .next_help_heading("bnn, tempered, batched, sgld, penalty; and the methods from map to swag")
    .args(options! {
        text "layers" "A,B,...": "units of up to four hidden layers; 0: none, a linear model [20, map 40, \
            ensemble 16]";
        text "activation" "NAME": "see lcc --version [tanh, map relu]";
        count(1, 4096) "chains" "C": "chains, or starts [by the size of the work; network 4, ensemble 24, \
            dropout 1, others 4, without hidden layers 1]";
        count(0, 1_000_000_000) "warmup" "W": "trajectories before the draws of a chain count [25, network \
            500]";
        count(COUNT) "draws" "N": "draws of each chain [6, network 500], or of the Gaussian [100]";
        count(COUNT) "keep" "K": "draws that a chain keeps in the model [bnn 3, network 25], or in all \
            [others 64]";
        count(COUNT) "start" "S": "steps of a chain's optimisation [1000; ensemble of numbers 3000]";
        count(1, 1_000_000) "leapfrogs" "L": "steps of a trajectory [240]";
        count(1, 4_000_000_000) "batch" "B": "rows of each step of the optimisation, at random, and of the \
            minibatches of tempered, batched, sgld, penalty, swag [all, swag 32]";
        count(1, 1_000_000) "ascent" "N": "steps of the ascent to a mode at most, or of the fit by the \
            evidence bound, or all of swag [3000; 5000]";
        switch "sampled": "laplace, laplace-diagonal: predictions by the networks of the draws, in place of \
            the one linearised at the mode";
        real(0.0, 1.0) "dropout" "Q": "probability that a hidden unit is left out [.1]";
        text "checkpoint" "FILE": "saves the state while running; with threads, after each block of them";
        switch "resume": "goes on from the checkpoint";
        text "network" "NAME=VALUE,...": MEMBERS;
    })
    .next_help_heading("network")
    .args(options! { count(1, 1_000_000) "neurons" "M": "hidden units [20]"; })
    .next_help_heading("greedy, prequential, relaxed")
    .args(options! {
        count(1, 65535) "levels" "K": "hidden units that are fitted one after another [greedy 60, \
            prequential 16, relaxed 40]";
        count(8, 10_000_000) "particles" "N": "of each level, a multiple of 8 [256]";
        text "prior" "gaussian|l1": "of a hidden unit's weights [gaussian]";
        real(ABOVE) "scale" "S": "its sd, or the radius of the l1 ball [1, relaxed 5]";
        real(ABOVE) "outer" "V": "the dictionary is +-V psi [3, relaxed 5]";
        real(ABOVE) "alpha" "A": "tilt [greedy 1, prequential .3]";
        real(ABOVE) "beta" "B": "share that a level takes of the fit [greedy .05, prequential .1]";
        text "form" "quadratic|tilt": "with the square of the loss, or without [quadratic]";
        switch "as-printed": "as the papers print it: data not standardised, no bias, one alpha, all levels \
            at their shares, V = 1, alpha = beta = 1/sqrt(n), the tilt alone, every particle kept; of these \
            V, alpha, beta, form, keep and averaging (printed) may be given";
        text "update" "NAME": "relaxed: relaxed, frank-wolfe or orthogonal [relaxed]";
        switch "either-sign": "hidden units of either sign, for activations that are not odd";
        text "choose-levels" "K1,K2,...": "takes the levels and V under which the rows, each predicted one \
            step ahead, have the least description length";
        text "choose-outer" "V1,V2,...": "see --choose-levels";
        switch "no-refit": "greedy: levels keep their shares B (1 - B)^(K - k)";
        real(-1.0, 1.0) "holdout" "P": "greedy: share of the rows that choose the levels [.2]";
        text "averaging" "NAME": "prequential, the model: printed, the posteriors before each row; \
            inclusive, that after the last too; last, that alone [last]";
    })
    .next_help_heading("Results")
    .args(options! {
        text "model" "M.lcc": "the model";
        text "c-array" "M.h": "the model as C source";
        text "predictions" "P.csv": "mean,sd,lower,upper,y of the test rows; without, of the training rows \
            (prequential: each one step ahead). For classes: class, p_A,p_B,... of each, \
            entropy,mutual_information,y. Both: row, of its file from 1; extrapolates, how many inputs are \
            outside of the training data";
        text "plot" "P.svg": "the same as a plot; for classes how sure of them on these rows and on noise, \
            of a point fit and of the posterior";
        text "draws-csv" "PREFIX": "network: PREFIX_1.csv, ...: one file a chain, in CmdStan's format";
        text "log-lik" "L.csv": "log density of each training row under each draw kept";
        text "stream" "B.csv": "then, from what the training rows say of the heads, B row by row: predicts \
            it, then learns from it; the predictions and the plot are those, one step ahead";
        text "stream-model" "M.lcc": "the model after the last row (--model: before the first)";
        count(COUNT) "stream-draws" "K": "draws that learn, of those kept [64]";
        real(0.0, 1.000_000_1) "forgetting" "F": "what a row counts for after the next, to 1 [.98]";
        + interval();
        + json();
    })
    .next_help_heading("Data")
    .args(options! {
        text "missing" "refuse|mean|drop": "missing values, which are empty, ?, NA, N/A, NaN, null or an \
            error of a spreadsheet: refused by name; or the mean of their column and 1 in a column of their \
            own; or their rows are left out [refuse]";
        text "categorical" "A,B,...": "columns of words although they hold numbers. A column of words \
            becomes one of 0 and 1 for each category, sorted; one of two categories, one";
        + unknown();
        + delimiter();
        text "drop" "A,B,...": "columns that are left out, or";
        text "only" "A,B,...": "the only ones beside the target";
        + id();
    })
    .next_help_heading("Evaluation on held-out rows")
    .args(options! {
        text "test" "T.csv": "rows to evaluate on, their columns found by name; or";
        real(0.0, 1.0) "test-share" "P": "a share of D, by the seed; of classes each alike; or";
        text "split" "S.json:K": "which rows of D, from 0: \
            {\"splits\":[{\"test\":[0,7],\"train_500\":[1,2]},...]}; K counts from 0";
        switch "train-500": "trains on the split's subset \"train_500\"; or";
        count(2, 1000) "cv" "K": "K folds, each predicted by a fit to the others; then fits all rows";
        count(1, 1000) "repeats" "R": "of --cv: as often, by other folds [1]";
        text "learning-curve" "P.svg": "scores after 1/16, 1/8, ... of the training rows, parts of each \
            other by the seed: a table, of JSON too, and a plot; with one of --cv, --test-share, --split";
    })
}
