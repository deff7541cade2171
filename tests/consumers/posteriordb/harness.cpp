// One run of LCC on one posterior: a line of JSON to standard output.
//
//   harness MODE DATA SEED LIMIT [key=value ...]
//
// MODE  auto, sampler, smc, pipeline (particles, then chains about a Gaussian fitted to them), tempering,
//       nuts (nothing of LCC: the no-U-turn sampler below, for comparison),
//       moments (needs raw=FILE: locations and widths for affine=FILE),
//       check (needs raw=FILE: the gradient by differences, and Stein's identity over reference draws)
// LIMIT CPU seconds after which a run is given up
// Every key is an option of the C struct; those not given keep LCC's default.
#include "densities.hpp"
#include <lcc.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>

static uint64_t gradients, values, outside;
static vec shift, width; // an affine change of coordinates of the caller's, where asked for

extern "C" int callback(size_t n, const double *x, double *g, double *lp, void *ctx) {
    const Model &m = *static_cast<const Model *>(ctx);
    ++(g ? gradients : values);
    vec at;
    if (!shift.empty()) {
        at.resize(n);
        for (size_t i = 0; i < n; i++) at[i] = shift[i] + width[i] * x[i];
        x = at.data();
    }
    if (!m.lp(x, g, *lp)) { ++outside; return 1; }
    if (!shift.empty() && g) for (size_t i = 0; i < n; i++) g[i] *= width[i];
    return 0;
}
// A density for others to sample, where this is built as a library: beside `callback` all that measure.py asks for.
extern "C" Model *open_density(const char *data) { return open_model(data).release(); }
extern "C" void sizes(const Model *m, size_t *dim, size_t *outs) { *dim = m->dim; *outs = m->outs; }
extern "C" void constrain(const Model *m, const double *x, double *out) { m->constrain(x, out); }

static double cpu() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return double(t.tv_sec) + 1e-9 * double(t.tv_nsec); }

static std::map<std::string, std::string> keys;
template <class T> static void take(const char *key, T &into) {
    const auto it = keys.find(key);
    if (it == keys.end()) return;
    into = static_cast<T>(std::strtod(it->second.c_str(), nullptr));
    keys.erase(it);
}

struct Result {
    int32_t status = 0;
    const char *where = "";
    bool timed_out = false;
    double seconds = 0, rhat_reported = NAN;
    std::string choice, verdict, explain;
    vec mean, sd, se, sd_se, rhat, ess;
    double acceptance = NAN, divergent = NAN, e_bfmi = NAN, step = NAN;
    double chains = 0, draws = 0, stages = NAN;
    double stein_first = NAN, stein_second = NAN; // over the draws, affine invariant, 0 for exact draws: sqrt(E[g]' Cov E[g] / d); 1 + E[(x - m).g] / d
};

static void number(const char *name, double x) {
    if (std::isfinite(x)) std::printf(",\"%s\":%.17g", name, x); else std::printf(",\"%s\":null", name);
}
static void numbers(const char *name, const vec &v) {
    std::printf(",\"%s\":[", name);
    for (size_t i = 0; i < v.size(); i++) { if (i) std::printf(","); if (std::isfinite(v[i])) std::printf("%.12g", v[i]); else std::printf("null"); }
    std::printf("]");
}
static int report(const Result &r) {
    std::printf("{\"status\":%d,\"where\":\"%s\",\"message\":\"%s\",\"timed_out\":%s", r.status, r.where,
                r.status < 0 ? lcc_status_message(r.status) : "", r.timed_out ? "true" : "false");
    std::printf(",\"choice\":\"%s\",\"verdict\":\"%s\",\"explain\":\"%s\"", r.choice.c_str(), r.verdict.c_str(), r.explain.c_str());
    number("seconds", r.seconds); number("rhat_reported", r.rhat_reported); number("stages", r.stages);
    number("acceptance", r.acceptance); number("divergent", r.divergent); number("e_bfmi", r.e_bfmi); number("step", r.step);
    number("chains", r.chains); number("draws", r.draws); number("stein_first", r.stein_first); number("stein_second", r.stein_second);
    std::printf(",\"gradients\":%llu,\"values\":%llu,\"outside\":%llu", (unsigned long long)gradients, (unsigned long long)values, (unsigned long long)outside);
    numbers("mean", r.mean); numbers("sd", r.sd); numbers("se", r.se); numbers("sd_se", r.sd_se); numbers("rhat", r.rhat); numbers("ess", r.ess);
    std::printf("}\n");
    return 0;
}

// Constrained draws, [output][chain * draws + draw].
static std::vector<vec> constrained(const Model &m, const std::vector<lcc_draws_f64> &views) {
    const size_t chains = views[0].chains, draws = views[0].draws;
    std::vector<vec> out(m.outs, vec(chains * draws));
    vec x(m.dim), o(m.outs);
    for (size_t c = 0; c < chains; c++)
        for (size_t t = 0; t < draws; t++) {
            for (size_t j = 0; j < m.dim; j++) {
                x[j] = views[j].data[c * views[j].chain_stride + t * views[j].draw_stride];
                if (!shift.empty()) x[j] = shift[j] + width[j] * x[j];
            }
            m.constrain(x.data(), o.data());
            for (size_t k = 0; k < m.outs; k++) out[k][c * draws + t] = o[k];
        }
    return out;
}
static void pooled(const vec &v, double &mean, double &sd) {
    double s = 0, q = 0;
    for (double x : v) s += x;
    mean = s / double(v.size());
    for (double x : v) q += (x - mean) * (x - mean);
    sd = std::sqrt(q / double(v.size() - 1));
}
static void summarise(const Model &m, Result &r, const std::vector<vec> &out, size_t chains, size_t draws, bool pairs) {
    r.chains = double(chains); r.draws = double(draws);
    size_t bytes = 0;
    lcc_draws_scratch_f64(chains, draws, &bytes);
    std::vector<unsigned char> scratch(bytes + 64);
    for (size_t k = 0; k < m.outs; k++) {
        lcc_draws_f64 view = {out[k].data(), pairs ? chains / 2 : chains, draws, pairs ? 2 * draws : draws, 1};
        lcc_summary_f64 s{};
        lcc_draws_summarise_f64(&view, scratch.data(), bytes, &s);
        double mean, sd;
        pooled(out[k], mean, sd);
        r.mean.push_back(mean); r.sd.push_back(sd); r.rhat.push_back(s.rhat); r.ess.push_back(std::fmin(s.ess_bulk, s.ess_tail));
        r.se.push_back(s.mcse_mean); r.sd_se.push_back(s.mcse_sd);
    }
}
// Stein's identities over the draws, for 4000 of them: what a judge could know without a reference.
static void stein(const Model &m, Result &r, const std::vector<lcc_draws_f64> &views) {
    const size_t chains = views[0].chains, draws = views[0].draws, n = chains * draws, step = std::max<size_t>(1, n / 4000), d = m.dim;
    std::vector<vec> xs, gs;
    vec x(d), g(d), mean(d, 0.0);
    double l;
    for (size_t i = 0; i < n; i += step) {
        for (size_t j = 0; j < d; j++) {
            x[j] = views[j].data[i / draws * views[j].chain_stride + i % draws * views[j].draw_stride];
            if (!shift.empty()) x[j] = shift[j] + width[j] * x[j];
        }
        if (!m.lp(x.data(), g.data(), l)) continue;
        xs.push_back(x); gs.push_back(g);
    }
    const double k = double(xs.size());
    vec cov(d * d, 0.0), e(d, 0.0);
    for (auto &v : xs) for (size_t j = 0; j < d; j++) mean[j] += v[j] / k;
    for (auto &v : gs) for (size_t j = 0; j < d; j++) e[j] += v[j] / k;
    double virial = 0, t2 = 0;
    for (size_t i = 0; i < xs.size(); i++)
        for (size_t a = 0; a < d; a++) {
            virial += (xs[i][a] - mean[a]) * gs[i][a] / k;
            for (size_t b = 0; b < d; b++) cov[a * d + b] += (xs[i][a] - mean[a]) * (xs[i][b] - mean[b]) / k;
        }
    for (size_t a = 0; a < d; a++) for (size_t b = 0; b < d; b++) t2 += e[a] * cov[a * d + b] * e[b];
    r.stein_first = std::sqrt(std::fmax(t2, 0) / double(d));
    r.stein_second = 1 + virial / double(d);
}
static double total(const lcc_draws_f64 &d) {
    double s = 0;
    for (size_t c = 0; c < d.chains; c++) for (size_t t = 0; t < d.draws; t++) s += d.data[c * d.chain_stride + t * d.draw_stride];
    return s;
}
static void traces(Result &r, int32_t (*get)(const void *, int32_t, lcc_draws_f64 *), const void *handle) {
    lcc_draws_f64 d{};
    if (get(handle, LCC_TRACE_ACCEPT, &d) == 0) r.acceptance = total(d) / double(d.chains * d.draws);
    if (get(handle, LCC_TRACE_DIVERGENT, &d) == 0) r.divergent = total(d);
    if (get(handle, LCC_TRACE_ENERGY, &d) == 0)
        for (size_t c = 0; c < d.chains; c++) { double e = NAN; if (lcc_draws_e_bfmi_f64(&d, c, &e) == 0 && !(e >= r.e_bfmi)) r.e_bfmi = e; }
}

using Memory = std::vector<unsigned char>;
static uint8_t *aligned(Memory &m, size_t bytes) {
    m.resize(bytes + 16);
    return m.data() + (16 - reinterpret_cast<uintptr_t>(m.data()) % 16) % 16;
}
// Notes the call and its status; an error ends the run.
static int32_t note(Result &r, const char *call, int32_t status) {
    static char text[128];
    std::strncpy(text, call, sizeof text - 1);
    if (char *p = std::strchr(text, '(')) *p = 0;
    r.where = text;
    return r.status = status;
}
#define TRY(call) do { if (note(r, #call, (call)) < 0) { r.seconds = cpu() - start; return; } } while (0)

static void run_auto(Model &m, lcc_problem_f64 &p, uint64_t seed, double limit, Result &r) {
    const double start = cpu();
    lcc_auto_options_f64 o;
    TRY(lcc_auto_options_default_f64(&o));
    o.seed = seed;
    take("chains", o.chains); take("pilot", o.pilot); take("warmup", o.warmup); take("draws", o.draws); take("lanes", o.lanes);
    take("ess", o.ess); take("max_gradients", o.max_gradients);
    size_t bytes;
    TRY(lcc_auto_size_f64(&o, &p, nullptr, &bytes));
    Memory memory;
    uint8_t *at = aligned(memory, bytes);
    lcc_auto_f64 *h;
    TRY(lcc_auto_init_f64(at, bytes, &o, &p, nullptr, &h));
    int32_t s;
    lcc_choice_f64 c{};
    do {
        TRY(s = lcc_auto_step_f64(h, &p, nullptr, 5000));
        if (cpu() - start > limit) { r.timed_out = true; break; }
    } while (s != LCC_DONE);
    r.seconds = cpu() - start;
    lcc_auto_report_f64(h, &c);
    static const char *choices[] = {"undecided", "split-prior", "split-fitted", "random-walk", "particles", "mixture", "patient", "reflection", "careful"};
    static const char *verdicts[] = {"open", "mixed", "modes", "unreliable"};
    r.choice = choices[c.choice]; r.verdict = verdicts[c.verdict];
    r.rhat_reported = c.rhat; r.stages = c.stages;
    char text[512];
    size_t length;
    if (lcc_auto_explain_f64(h, text, sizeof text, &length) == 0) r.explain = text;
    if (r.timed_out) return;
    std::vector<lcc_draws_f64> views(m.dim);
    for (size_t j = 0; j < m.dim; j++) TRY(lcc_read_draws_f64(h, j, &views[j]));
    const size_t chains = views[0].chains, draws = views[0].draws;
    auto out = constrained(m, views);
    stein(m, r, views);
    const bool particles = c.choice == LCC_CHOICE_PARTICLES;
    if (particles) { r.chains = double(chains); r.draws = double(draws); }
    else summarise(m, r, out, chains, draws, true);
    vec scratch(2 * chains * draws), squares(chains * draws);
    if (particles) { r.mean.assign(m.outs, 0); r.sd = r.mean; r.rhat.assign(m.outs, NAN); r.ess = r.rhat; r.se = r.sd_se = r.rhat; }
    for (size_t k = 0; k < m.outs; k++) {
        lcc_draws_f64 view = {out[k].data(), chains, draws, draws, 1};
        lcc_average_f64 a{};
        TRY(lcc_auto_average_f64(h, &view, scratch.data(), scratch.size(), &a));
        pooled(out[k], r.mean[k], r.sd[k]);
        r.se[k] = a.standard_error;
        r.ess[k] = r.sd[k] * r.sd[k] / (a.standard_error * a.standard_error);
        for (size_t i = 0; i < squares.size(); i++) squares[i] = (out[k][i] - r.mean[k]) * (out[k][i] - r.mean[k]);
        view.data = squares.data();
        TRY(lcc_auto_average_f64(h, &view, scratch.data(), scratch.size(), &a));
        r.sd_se[k] = a.standard_error / (2 * r.sd[k]);
    }
    traces(r, [](const void *q, int32_t t, lcc_draws_f64 *d) { return lcc_read_trace_f64(static_cast<const lcc_auto_f64 *>(q), t, d); }, h);
    if (!particles) { double e; r.step = 1e300; for (size_t k = 0; k < o.chains; k++) if (lcc_auto_step_size_f64(h, k, &e) == 0) r.step = std::min(r.step, e); }
    r.status = 0;
}

static void sampler_options(lcc_sampler_options_f64 &o) {
    const auto it = keys.find("method");
    if (it != keys.end()) { int32_t code; if (lcc_method_from_name(it->second.c_str(), &code) == 0) o.method = code; keys.erase(it); }
    take("chains", o.chains); take("lanes", o.lanes); take("warmup", o.warmup); take("draws", o.draws); take("leapfrogs", o.leapfrogs);
    take("target_accept", o.target_accept); take("total_time", o.total_time); take("jitter", o.jitter); take("antithetic", o.antithetic);
    o.stored = o.draws;
}
static void finish_chains(Model &m, lcc_problem_f64 &p, lcc_sampler_f64 *h, const lcc_sampler_options_f64 &o, double start, double limit, Result &r) {
    int32_t s;
    do {
        TRY(s = lcc_sampler_step_f64(h, &p, nullptr, 5000));
        if (cpu() - start > limit) { r.timed_out = true; break; }
    } while (s != LCC_DONE);
    r.seconds = cpu() - start;
    if (r.timed_out) return;
    std::vector<lcc_draws_f64> views(m.dim);
    for (size_t j = 0; j < m.dim; j++) TRY(lcc_read_draws_f64(h, j, &views[j]));
    summarise(m, r, constrained(m, views), views[0].chains, views[0].draws, o.antithetic != 0);
    stein(m, r, views);
    traces(r, [](const void *q, int32_t t, lcc_draws_f64 *d) { return lcc_read_trace_f64(static_cast<const lcc_sampler_f64 *>(q), t, d); }, h);
    r.step = 1e300;
    for (size_t c = 0; c < o.chains; c++) { double e; if (lcc_sampler_step_size_f64(h, c, &e) == 0) r.step = std::min(r.step, e); }
    r.choice = lcc_method_name(o.method);
    r.status = 0;
}
static void run_sampler(Model &m, lcc_problem_f64 &p, uint64_t seed, double limit, Result &r) {
    const double start = cpu();
    lcc_sampler_options_f64 o;
    TRY(lcc_sampler_options_default_f64(&o));
    o.seed = seed;
    sampler_options(o);
    size_t bytes;
    TRY(lcc_sampler_size_f64(&o, &p, nullptr, &bytes));
    Memory memory;
    uint8_t *at = aligned(memory, bytes);
    lcc_sampler_f64 *h;
    TRY(lcc_sampler_init_f64(at, bytes, &o, &p, nullptr, &h));
    finish_chains(m, p, h, o, start, limit, r);
}
static void run_smc(Model &m, lcc_problem_f64 &p, uint64_t seed, double limit, Result &r, bool then_chains) {
    const double start = cpu();
    lcc_smc_options_f64 o;
    TRY(lcc_smc_options_default_f64(&o));
    o.seed = seed;
    if (then_chains) o.reference = LCC_REFERENCE_GAUSSIAN;
    take("particles", o.particles); take("stages", o.stages); take("moves", o.moves); take("smc_leapfrogs", o.leapfrogs);
    take("reference", o.reference); take("share", o.share); take("smc_time", o.total_time);
    size_t bytes;
    TRY(lcc_smc_size_f64(&o, &p, nullptr, &bytes));
    Memory memory;
    uint8_t *at = aligned(memory, bytes);
    lcc_smc_f64 *h;
    TRY(lcc_smc_init_f64(at, bytes, &o, &p, nullptr, &h));
    int32_t s;
    lcc_climb_f64 climb{};
    do {
        TRY(s = lcc_smc_step_f64(h, &p, nullptr, 5000));
        if (cpu() - start > limit) { r.timed_out = true; break; }
    } while (s != LCC_DONE);
    lcc_smc_climb_f64(h, &climb);
    r.stages = climb.stages;
    r.seconds = cpu() - start;
    if (r.timed_out) return;
    if (then_chains) {
        lcc_sampler_options_f64 c;
        TRY(lcc_sampler_options_default_f64(&c));
        c.seed = seed;
        c.reference = LCC_REFERENCE_GAUSSIAN;
        sampler_options(c);
        size_t size;
        TRY(lcc_sampler_size_f64(&c, &p, nullptr, &size));
        Memory second;
        uint8_t *to = aligned(second, size);
        lcc_sampler_f64 *sampler;
        TRY(lcc_sampler_init_from_smc_f64(to, size, &c, &p, nullptr, h, &sampler));
        finish_chains(m, p, sampler, c, start, limit, r);
        return;
    }
    std::vector<lcc_draws_f64> views(m.dim);
    for (size_t j = 0; j < m.dim; j++) TRY(lcc_read_draws_f64(h, j, &views[j]));
    auto out = constrained(m, views);
    stein(m, r, views);
    vec scratch(o.particles);
    r.chains = o.particles; r.draws = 1; r.choice = "smc";
    for (size_t k = 0; k < m.outs; k++) {
        lcc_draws_f64 view = {out[k].data(), o.particles, 1, 1, 1};
        lcc_average_f64 a{};
        TRY(lcc_smc_average_f64(h, &view, scratch.data(), scratch.size(), &a));
        double mean, sd;
        pooled(out[k], mean, sd);
        r.mean.push_back(mean); r.sd.push_back(sd); r.se.push_back(a.standard_error); r.rhat.push_back(NAN);
        r.ess.push_back(sd * sd / (a.standard_error * a.standard_error)); r.sd_se.push_back(NAN);
    }
    r.status = 0;
}
static void run_tempering(Model &m, lcc_problem_f64 &p, uint64_t seed, double limit, Result &r) {
    const double start = cpu();
    lcc_tempering_options_f64 o;
    TRY(lcc_tempering_options_default_f64(&o));
    o.seed = seed;
    take("chains", o.chains); take("temperatures", o.temperatures); take("warmup", o.warmup); take("draws", o.draws); take("leapfrogs", o.leapfrogs);
    o.stored = o.draws;
    vec ladder(o.temperatures); // by equal factors, from first
    double first = 0.01;
    take("first", first);
    for (size_t k = 0; k < ladder.size(); k++) ladder[k] = k + 1 == ladder.size() ? 1 : std::pow(first, 1 - double(k) / double(ladder.size() - 1));
    size_t bytes;
    TRY(lcc_tempering_size_f64(&o, &p, nullptr, &bytes));
    Memory memory;
    uint8_t *at = aligned(memory, bytes);
    lcc_tempering_f64 *h;
    TRY(lcc_tempering_init_f64(at, bytes, &o, ladder.data(), ladder.size(), &p, nullptr, &h));
    int32_t s;
    do {
        TRY(s = lcc_tempering_step_f64(h, &p, nullptr, 5000));
        if (cpu() - start > limit) { r.timed_out = true; break; }
    } while (s != LCC_DONE);
    r.seconds = cpu() - start;
    if (r.timed_out) return;
    std::vector<lcc_draws_f64> views(m.dim);
    for (size_t j = 0; j < m.dim; j++) TRY(lcc_read_draws_f64(h, j, &views[j]));
    summarise(m, r, constrained(m, views), views[0].chains, views[0].draws, false);
    r.choice = "tempering";
    r.status = 0;
}

// Multinomial NUTS with Stan's warm-up (dual averaging, a diagonal metric in doubling windows), 4 chains of 1000 + 1000.
struct Nuts {
    const Model &m;
    size_t d;
    std::mt19937_64 rng;
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform{0, 1};
    vec inv; // the diagonal of the inverse metric
    double eps = 1;
    struct Point { vec q, p, g; double lp = 0; };
    Nuts(const Model &mm, uint64_t seed) : m(mm), d(mm.dim), rng(seed), inv(d, 1.0) {}
    bool eval(Point &z) { ++gradients; double l; if (!m.lp(z.q.data(), z.g.data(), l) || !std::isfinite(l)) { ++outside; z.lp = -INFINITY; return false; } z.lp = l; return true; }
    double energy(const Point &z) { double k = 0; for (size_t i = 0; i < d; i++) k += 0.5 * inv[i] * z.p[i] * z.p[i]; return k - z.lp; }
    bool leap(Point &z, double e) {
        for (size_t i = 0; i < d; i++) { z.p[i] += 0.5 * e * z.g[i]; z.q[i] += e * inv[i] * z.p[i]; }
        if (!eval(z)) return false;
        for (size_t i = 0; i < d; i++) z.p[i] += 0.5 * e * z.g[i];
        return true;
    }
    void momentum(Point &z) { for (size_t i = 0; i < d; i++) z.p[i] = normal(rng) / std::sqrt(inv[i]); }
    void reasonable(Point z) {
        momentum(z);
        const double h0 = energy(z);
        Point w = z;
        double dh = leap(w, eps) ? h0 - energy(w) : -INFINITY;
        const int dir = dh > std::log(0.8) ? 1 : -1;
        for (int k = 0; k < 60; k++) {
            momentum(z);
            w = z;
            const double h = energy(z);
            dh = leap(w, eps) ? h - energy(w) : -INFINITY;
            if (dir == 1 ? !(dh > std::log(0.8)) : dh > std::log(0.8)) break;
            eps *= dir == 1 ? 2 : 0.5;
        }
    }
    double h0 = 0, sum_accept = 0;
    int leaps = 0;
    bool divergent = false;
    static double lse(double a, double b) { const double t = std::fmax(a, b); return t == -INFINITY ? t : t + std::log(std::exp(a - t) + std::exp(b - t)); }
    bool straight(const vec &rho, const vec &p0, const vec &p1) { double a = 0, b = 0; for (size_t i = 0; i < d; i++) { a += inv[i] * p0[i] * rho[i]; b += inv[i] * p1[i] * rho[i]; } return a > 0 && b > 0; }
    // Builds a tree from z outwards; first and last momenta, their sum, a proposal.
    bool tree(int depth, double e, Point &z, Point &prop, double &w, vec &rho, vec &pfirst, vec &plast) {
        if (depth == 0) {
            ++leaps;
            const bool ok = leap(z, e);
            double dh = ok ? h0 - energy(z) : -INFINITY;
            if (std::isnan(dh)) dh = -INFINITY;
            if (dh < -1000) divergent = true;
            w = lse(w, dh);
            sum_accept += dh > 0 ? 1 : std::exp(dh);
            prop = z; pfirst = plast = z.p;
            for (size_t i = 0; i < d; i++) rho[i] += z.p[i];
            return !divergent;
        }
        vec r1(d, 0), r2(d, 0), pm1, pm2;
        double w1 = -INFINITY, w2 = -INFINITY;
        if (!tree(depth - 1, e, z, prop, w1, r1, pfirst, pm1)) return false;
        Point other;
        if (!tree(depth - 1, e, z, other, w2, r2, pm2, plast)) return false;
        const double ws = lse(w1, w2);
        w = lse(w, ws);
        if (std::log(uniform(rng)) < w2 - ws) prop = other;
        vec rs(d), ra(d), rb(d);
        for (size_t i = 0; i < d; i++) { rs[i] = r1[i] + r2[i]; rho[i] += rs[i]; ra[i] = r1[i] + pm2[i]; rb[i] = r2[i] + pm1[i]; }
        return straight(rs, pfirst, plast) && straight(ra, pfirst, pm2) && straight(rb, pm1, plast);
    }
    void transition(Point &z) {
        momentum(z);
        h0 = energy(z); sum_accept = 0; leaps = 0; divergent = false;
        Point fwd = z, bck = z, sample = z;
        vec rho = z.p, pff = z.p, pfb = z.p, pbf = z.p, pbb = z.p;
        double w = 0;
        for (int depth = 0; depth < 10; depth++) {
            vec rsub(d, 0), first, last;
            double wsub = -INFINITY;
            Point prop;
            const bool forward = uniform(rng) > 0.5;
            vec rold = rho, near = forward ? pff : pbb; // the old edge on the side that grows
            const bool ok = forward ? tree(depth, eps, fwd, prop, wsub, rsub, first, last) : tree(depth, -eps, bck, prop, wsub, rsub, first, last);
            if (!ok) break;
            if (std::log(uniform(rng)) < wsub - w) sample = prop;
            w = lse(w, wsub);
            vec ra(d), rb(d);
            for (size_t i = 0; i < d; i++) { rho[i] += rsub[i]; ra[i] = rold[i] + first[i]; rb[i] = rsub[i] + near[i]; }
            bool go;
            if (forward) { go = straight(ra, pbb, first) && straight(rb, near, last); pff = last; }
            else { go = straight(ra, first, pff) && straight(rb, last, near); pbb = last; }
            if (!(go && straight(rho, pbb, pff))) break;
        }
        z = sample;
    }
};
static void run_nuts(Model &m, uint64_t seed, double limit, Result &r) {
    const double start = cpu();
    size_t chains = 4, warm = 1000, draws = 1000;
    double delta = 0.8;
    take("chains", chains); take("warmup", warm); take("draws", draws); take("target_accept", delta);
    std::vector<vec> out(m.outs, vec(chains * draws));
    r.divergent = 0; r.acceptance = 0;
    uint64_t sampling = 0;
    for (size_t c = 0; c < chains; c++) {
        Nuts n(m, seed * 1000 + c);
        Nuts::Point z;
        z.q.resize(n.d); z.p.resize(n.d); z.g.resize(n.d);
        bool ok = false;
        for (int k = 0; k < 100 && !ok; k++) { for (double &q : z.q) q = 4 * n.uniform(n.rng) - 2; ok = n.eval(z); }
        if (!ok) { r.status = LCC_ERROR_START; return; }
        n.reasonable(z);
        double mu = std::log(10 * n.eps), hbar = 0, xbar = 0, count = 0;
        vec mean(n.d, 0), m2(n.d, 0);
        double seen = 0;
        size_t end = 75 + 25, size = 25; // the first window ends there
        for (size_t t = 0; t < warm + draws; t++) {
            n.transition(z);
            if (cpu() - start > limit) { r.timed_out = true; r.seconds = cpu() - start; return; }
            if (t < warm) {
                const double a = n.leaps ? n.sum_accept / n.leaps : 0;
                count += 1;
                const double eta = 1 / (count + 10);
                hbar = (1 - eta) * hbar + eta * (delta - a);
                const double x = mu - hbar * std::sqrt(count) / 0.05, k = std::pow(count, -0.75);
                xbar = (1 - k) * xbar + k * x;
                n.eps = std::exp(x);
                if (t >= 75 && t < warm - 50) {
                    seen += 1;
                    for (size_t i = 0; i < n.d; i++) { const double e = z.q[i] - mean[i]; mean[i] += e / seen; m2[i] += e * (z.q[i] - mean[i]); }
                    if (t + 1 == end || t + 1 == warm - 50) {
                        for (size_t i = 0; i < n.d; i++) { const double v = m2[i] / (seen - 1); n.inv[i] = seen / (seen + 5) * v + 1e-3 * 5 / (seen + 5); }
                        std::fill(mean.begin(), mean.end(), 0); std::fill(m2.begin(), m2.end(), 0); seen = 0;
                        size *= 2;
                        end = t + 1 + size;
                        if (end + 2 * size > warm - 50) end = warm - 50;
                        n.reasonable(z);
                        mu = std::log(10 * n.eps); hbar = 0; xbar = 0; count = 0;
                    }
                }
                if (t + 1 == warm) n.eps = std::exp(xbar);
            } else {
                r.divergent += n.divergent;
                r.acceptance += n.sum_accept / n.leaps;
                sampling += n.leaps;
                vec o(m.outs);
                m.constrain(z.q.data(), o.data());
                for (size_t k = 0; k < m.outs; k++) out[k][c * draws + t - warm] = o[k];
            }
        }
        r.step = c ? std::min(r.step, n.eps) : n.eps;
    }
    r.acceptance /= double(chains * draws);
    r.stages = double(sampling) / double(chains * draws); // leapfrog steps a draw
    r.seconds = cpu() - start;
    r.choice = "nuts";
    summarise(m, r, out, chains, draws, false);
}

static int check(const Model &m, const char *raw) {
    FILE *f = std::fopen(raw, "r");
    vec all, o(m.outs), x(m.dim), g(m.dim), h(m.dim), o2(m.outs);
    size_t rows = 0;
    double worst_gradient = 0, worst_round = 0, l, a, b;
    std::vector<vec> stein; // first moments of the gradient, and x_i g_j + delta_ij
    const size_t d = m.dim;
    vec sum(d + d * d, 0.0), squares(d + d * d, 0.0), mean(d, 0.0);
    std::vector<vec> xs, gs;
    while (f) {
        bool ok = true;
        for (double &v : o) ok = ok && std::fscanf(f, "%lf", &v) == 1;
        if (!ok) break;
        m.unconstrain(o.data(), x.data());
        m.constrain(x.data(), o2.data());
        for (size_t k = 0; k < m.outs; k++) worst_round = std::fmax(worst_round, std::fabs(o2[k] - o[k]) / (1e-8 + std::fabs(o[k])));
        if (!m.lp(x.data(), g.data(), l)) { std::printf("outside at row %zu\n", rows); return 1; }
        xs.push_back(x); gs.push_back(g);
        if (rows++ < 30) {
            double norm = 1e-6;
            for (double v : g) norm = std::fmax(norm, std::fabs(v));
            for (size_t j = 0; j < d; j++) {
                const double e = 1e-5 * std::fmax(1e-3, std::fabs(x[j])), keep = x[j];
                x[j] = keep + e; if (!m.lp(x.data(), nullptr, a) && !m.lp(x.data(), h.data(), a)) a = NAN;
                x[j] = keep - e; if (!m.lp(x.data(), nullptr, b) && !m.lp(x.data(), h.data(), b)) b = NAN;
                x[j] = keep;
                worst_gradient = std::fmax(worst_gradient, std::fabs((a - b) / (2 * e) - g[j]) / (norm + std::fabs(l) * 1e-16 / e * 1e3));
            }
        }
    }
    if (f) std::fclose(f);
    // In units of each coordinate's sd: E[g_j s_j] = 0, E[(x_i - m_i)/s_i g_j s_j] = -delta_ij.
    vec s(d, 0.0);
    for (auto &v : xs) for (size_t j = 0; j < d; j++) mean[j] += v[j] / double(rows);
    for (auto &v : xs) for (size_t j = 0; j < d; j++) s[j] += (v[j] - mean[j]) * (v[j] - mean[j]) / double(rows);
    double z1 = 0, z2 = 0, largest = 0;
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i <= d; i++) {
            double t = 0, q = 0;
            for (size_t k = 0; k < rows; k++) {
                const double gj = gs[k][j] * std::sqrt(s[j]);
                const double v = i == d ? gj : (xs[k][i] - mean[i]) / std::sqrt(s[i]) * gj + (i == j ? 1.0 : 0.0);
                t += v; q += v * v;
            }
            t /= double(rows); q = std::sqrt((q / double(rows) - t * t) / double(rows));
            const double z = std::fabs(t) / q;
            (i == d ? z1 : z2) = std::fmax(i == d ? z1 : z2, z);
            largest = std::fmax(largest, std::fabs(t));
        }
    std::printf("{\"rows\":%zu,\"gradient\":%.2g,\"round_trip\":%.2g,\"stein_first\":%.2f,\"stein_second\":%.2f,\"stein_largest\":%.3g}\n", rows, worst_gradient, worst_round, z1, z2, largest);
    return 0;
}

// Locations and widths of the unconstrained coordinates, from reference draws: for affine=FILE.
static int moments(const Model &m, const char *raw) {
    FILE *f = std::fopen(raw, "r");
    vec o(m.outs), x(m.dim), a(m.dim, 0.0), b(m.dim, 0.0);
    double n = 0;
    for (bool ok = f != nullptr; ok;) {
        for (double &v : o) ok = ok && std::fscanf(f, "%lf", &v) == 1;
        if (!ok) break;
        m.unconstrain(o.data(), x.data());
        n += 1;
        for (size_t j = 0; j < m.dim; j++) { const double e = x[j] - a[j]; a[j] += e / n; b[j] += e * (x[j] - a[j]); }
    }
    if (f) std::fclose(f);
    for (double v : a) std::printf("%.10g ", v);
    std::printf("\n");
    for (double v : b) std::printf("%.10g ", std::sqrt(v / (n - 1)));
    std::printf("\n");
    return n > 1 ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    const std::string mode = argv[1];
    const uint64_t seed = std::strtoull(argv[3], nullptr, 10);
    const double limit = std::strtod(argv[4], nullptr);
    for (int i = 5; i < argc; i++) { const std::string a = argv[i]; const size_t e = a.find('='); keys[a.substr(0, e)] = a.substr(e + 1); }
    auto model = open_model(argv[2]);
    if (!model) { std::fprintf(stderr, "no model\n"); return 2; }
    if (mode == "moments") return moments(*model, keys["raw"].c_str());
    if (mode == "check") return check(*model, keys["raw"].c_str());
    if (lcc_abi_version() != LCC_ABI_VERSION) { std::fprintf(stderr, "another ABI\n"); return 2; }
    if (keys.count("affine")) { // a file of dim locations and dim widths
        FILE *f = std::fopen(keys["affine"].c_str(), "r");
        shift.resize(model->dim); width.resize(model->dim);
        for (double &v : shift) if (!f || std::fscanf(f, "%lf", &v) != 1) return 2;
        for (double &v : width) if (std::fscanf(f, "%lf", &v) != 1) return 2;
        std::fclose(f);
        keys.erase("affine");
    }
    lcc_problem_f64 p;
    lcc_problem_default_f64(&p, 1);
    p.posterior = LCC_POSTERIOR_USER;
    p.density = callback;
    p.context = model.get();
    p.dim = model->dim;
    take("scale", p.scale);
    Result r;
    if (mode == "auto") run_auto(*model, p, seed, limit, r);
    else if (mode == "sampler") run_sampler(*model, p, seed, limit, r);
    else if (mode == "smc") run_smc(*model, p, seed, limit, r, false);
    else if (mode == "pipeline") run_smc(*model, p, seed, limit, r, true);
    else if (mode == "tempering") run_tempering(*model, p, seed, limit, r);
    else if (mode == "nuts") run_nuts(*model, seed, limit, r);
    else return 2;
    for (auto &k : keys) std::fprintf(stderr, "unused option %s\n", k.first.c_str());
    return report(r);
}
