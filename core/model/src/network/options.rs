//! Settings as the core's options.

use super::Settings;
use crate::engine::Number;
use crate::fault::Fault;
use crate::text::real;
use lcc_core::estimator::BnnOptions;
use lcc_core::kernel::penalty::Penalty;
use lcc_core::network::Scales;

impl Settings {
    /// The options.
    pub(super) fn options<T: Number>(&self) -> Result<BnnOptions<T>, Fault> {
        let mut o = BnnOptions::<T>::of(self.method, self.output, self.widths[0] > 0);
        let or = |own: u32, usual: u32| if own == 0 { usual } else { own };
        o.widths = self.widths;
        o.activation = self.activation.into();
        o.categories = or(self.categories, o.categories);
        o.exposure = self.exposure.into();
        o.chains = self.chains;
        o.start_steps = or(self.start, o.start_steps);
        o.batch = self.batch;
        o.warmup = self.warmup.unwrap_or(o.warmup);
        o.ascent_steps = or(self.ascent, o.ascent_steps);
        o.dropout = if self.dropout > 0.0 { T::lit(self.dropout) } else { o.dropout };
        if self.draws > 0 {
            let all = o.keep == o.draws || o.keep > self.draws;
            o.keep = if all { self.draws } else { o.keep };
            o.draws = self.draws;
        }
        o.keep = or(self.keep, o.keep);
        o.leapfrogs = or(self.leapfrogs, o.leapfrogs);
        o.seed = self.seed;
        for member in self.members.iter().flat_map(|m| m.split(',')) {
            let known = member.split_once('=').and_then(|(name, value)| set(&mut o, name, value));
            if known.is_none() {
                return Err(Fault::usage(format!(
                    "--network takes NAME=VALUE,... of lcc_bnn_options, as tail=4,input_scale=.5, not \"{member}\""
                )));
            }
        }
        Ok(o)
    }
}

/// Sets the member of that name; `None` where there is none, or the value is not one of its kind.
fn set<T: Number>(o: &mut BnnOptions<T>, name: &str, text: &str) -> Option<()> {
    if let Some(own) = Scales::from_name(text).filter(|_| name == "scales") {
        o.scales = own.into();
        return Some(());
    }
    let value = real(text).filter(|v| v.is_finite())?;
    let whole = |most: f64| {
        let fits = value >= 0.0 && value <= most && value.floor() == value;
        fits.then_some(value as u32)
    };
    let switch = || whole(1.0).map(|v| (v == 1).into());
    macro_rules! reals {
        ($($member:ident)+) => {
            match name {
                $(stringify!($member) => o.$member = T::lit(value),)+
                "linear" => o.linear = switch()?,
                "standardise" => o.standardise = switch()?,
                "reference" => o.reference = switch()?,
                "drop" => o.drop = switch()?,
                "halving" => o.halving = switch()?,
                "barker" => o.barker = switch()?,
                "full" => o.full = switch()?,
                "scales" => o.scales = Scales::from_code(whole(9.0)? as i32)?.into(),
                "penalty" => o.penalty = Penalty::from_code(whole(9.0)? as i32)?.into(),
                "rank" => o.rank = whole(64.0)?,
                "pairs" => o.pairs = whole(9999.0)?,
                "minibatches" => o.minibatches = whole(9999.0)?,
                _ => return None,
            }
        };
    }
    reals! {
        drop_below target_accept jitter first_step noise tail noise_shape noise_rate floor size input_scale
        bias_scale hidden_scale outer_scale linear_scale intercept_sd mixture wide narrow prune rate delay step decay
    }
    Some(())
}
