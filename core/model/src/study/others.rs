//! The methods beside the network's, and streams. They are reached through [`Request::others`] alone, so that a host that
//! does not name them is without their code.

use super::fit::Outcome;
use super::{Learned, Method, Request};
use crate::fault::Fault;
use crate::methods::{
    Followed, StreamSettings, fit_greedy, fit_long, fit_prequential, fit_relaxed, follow,
};
use crate::rows::Rows;
use crate::watch::Watch;

type Fit = fn(&mut Request, &Learned, &dyn Watch) -> Result<Outcome, Fault>;
type Follow = fn(&StreamSettings, &[u8], &Rows, &Rows, f64, &dyn Watch) -> Result<Followed, Fault>;

/// What runs them.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    pub(super) fit: Fit,
    pub(super) follow: Follow,
}

impl Others {
    /// All of them.
    pub const ALL: Self = Self { fit, follow };
}

impl Request {
    /// What runs what is not the network's own.
    pub(super) fn other(&self) -> Result<Others, Fault> {
        let what = || format!("--method {} and streams are not in this program", self.method_name);
        self.others.ok_or_else(|| Fault::usage(what()))
    }
}

fn fit(r: &mut Request, l: &Learned, watch: &dyn Watch) -> Result<Outcome, Fault> {
    let mut out = Outcome::default();
    let train = &l.train;
    match r.method {
        Method::Network => {
            (out.fit, out.chains) = fit_long(&r.long, &r.settings, train, r.traced, watch)?;
        }
        Method::Relaxed => {
            let (fit, last) = fit_relaxed(&r.greedy, train, watch)?;
            (out.fit, out.last) = (fit, Some(last));
        }
        _ => {
            r.greedy.complete_rows(train.n);
            if r.choice.run(&mut r.greedy, train, watch)? {
                out.fit.interrupted = true;
            } else if r.method == Method::Greedy {
                out.fit = fit_greedy(&r.greedy, train, watch)?;
            } else {
                let (averaging, interval) = (r.averaging, r.interval);
                let (fit, ahead) = fit_prequential(&r.greedy, averaging, interval, train, watch)?;
                (out.fit, out.ahead) = (fit, Some(ahead).filter(|a| a.said.n > 0));
            }
        }
    }
    Ok(out)
}
