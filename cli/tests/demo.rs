//! What a new user sees.

mod common;
use common::{Folder, parse_csv};

#[test]
#[ignore = "long: a whole default fit"]
fn without_arguments_it_learns_the_gas_turbine() {
    let folder = Folder::new("demo");
    let run = folder.lcc("").expect(0);
    assert_eq!(folder.list(), ["out"]);
    let out = folder.open("out");
    assert_eq!(out.list(), ["model.lcc", "plot.svg", "predictions.csv"]);

    // The report's error is that of the predictions written.
    let (names, rows) = parse_csv(&out.text("predictions.csv"));
    assert_eq!(names, ["mean", "sd", "lower", "upper", "y", "row", "extrapolates"]);
    assert_eq!(rows.len(), 500);
    let squares: f64 = rows.iter().map(|r| (r[4] - r[0]).powi(2)).sum();
    let rmse = (squares / 500.0).sqrt();
    assert!(rmse < 6.0, "RMSE {rmse} mg/m3; the mean alone has 11.5");
    assert!(run.out.contains(&format!("{rmse:.2} mg/m3")), "{}", run.out);
    let inside = rows.iter().filter(|r| (r[2]..=r[3]).contains(&r[4])).count();
    assert!((400..=490).contains(&inside), "{inside} of 500 in a 90 % interval");
    assert!(run.out.contains(&format!("{:.1} %", inside as f64 / 5.0)), "{}", run.out);
    let parts = [
        "another seed would move",
        "R-hat",
        "bytes of workspace",
        "out/plot.svg",
        "lcc fit --help",
    ];
    for part in parts {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert_eq!(run.err, "", "no bar without a terminal");

    // The model that it wrote predicts.
    folder.write(
        "x.csv",
        "at,ap,ah,afdp,gtep,tit,tat,tey,cdp\n12,1010,86,3.6,24,1085,550,134,11.8\n",
    );
    let run = folder.lcc("predict --model out/model.lcc --data x.csv").expect(0);
    let (_, rows) = parse_csv(&run.out);
    assert!((40.0..120.0).contains(&rows[0][0]), "{rows:?}");
}

#[test]
fn a_small_demonstration_is_the_same_twice() {
    let folder = Folder::new("small_demo");
    let options = "--neurons 3 --chains 2 --warmup 30 --draws 30 --keep 5";
    folder.lcc(&format!("demo {options} --out a")).expect(0);
    folder.lcc(&format!("demo {options} --out b")).expect(0);
    for file in ["model.lcc", "plot.svg", "predictions.csv"] {
        assert_eq!(folder.bytes(&format!("a/{file}")), folder.bytes(&format!("b/{file}")));
    }
    folder.write("file", "not a folder");
    folder
        .lcc(&format!("demo {options} --out file"))
        .fails(1, &["file: the folder cannot be made"]);
    assert_eq!(folder.text("file"), "not a folder");
}
