//! What is done to a table once its cells are cut: columns left out, decimal commas made points.

use super::marks::plain;
use super::{Reading, Table, is_missing, lists, shown, similar};
use crate::fault::Fault;
use crate::rows::numbered;
use crate::text::real;
use crate::watch::Watch;

/// A cell with its commas and points exchanged, if it is a number then.
pub(super) fn exchanged(cell: &str) -> Option<String> {
    let exchange = |c| match c {
        ',' => '.',
        '.' => ',',
        c => c,
    };
    let text = || cell.chars().map(exchange).collect();
    (cell.contains([',', '.'])).then(text).filter(|text: &String| number(text))
}

fn number(cell: &str) -> bool {
    real(cell).is_some() || plain(cell).is_some()
}

/// Whether a cell is a number with this decimal mark and none with the other, as 1,5 and 1.234,5.
pub(super) fn decides(cell: &str, decimal: char) -> bool {
    if !cell.contains(decimal) {
        return false;
    }
    match decimal {
        ',' => exchanged(cell).is_some() && !number(cell),
        _ => number(cell) && exchanged(cell).is_none(),
    }
}

impl Table {
    /// Takes the columns out that are not wanted.
    pub(super) fn choose(&mut self, how: &Reading<'_>) -> Result<(), Fault> {
        let mut wrong = self.unknown("--only", how.only);
        wrong.extend(self.unknown("--id", how.id));
        if !how.absent {
            wrong.extend(self.unknown("--group", how.group));
            wrong.extend(self.unknown("--drop", how.drop));
        }
        Fault::all(wrong)?;
        if how.only.or(how.drop).or(how.id).or(how.group).is_none() {
            return Ok(());
        }
        let stays = |name: &str| {
            let listed = how.only.is_none_or(|_| lists(how.only, name));
            let listed = listed && !lists(how.id, name) && !lists(how.group, name);
            (listed || how.beside.contains(&name)) && !lists(how.drop, name)
        };
        let those = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
            (0..self.names.len()).filter(|k| is(&self.names[*k])).collect()
        };
        let (kept, ids) = (those(&stays), those(&|name| lists(how.id, name)));
        let rows = self.cells.chunks_exact(self.names.len().max(1));
        self.identities = rows.flat_map(|row| ids.iter().map(|k| row[*k])).collect();
        self.ids = ids.iter().map(|k| self.names[*k].clone()).collect();
        if how.group.is_some() && !how.absent {
            self.groups = self.grouped(&those(&|name| lists(how.group, name)))?;
        }
        self.keep(&kept);
        Ok(())
    }

    /// The group of each row: those of the same cells in these columns are one.
    fn grouped(&self, columns: &[usize]) -> Result<Vec<u32>, Fault> {
        for row in 0..self.rows {
            if let Some(column) = columns.iter().find(|c| is_missing(self.cell(row, **c))) {
                return Err(self.refuse(row, *column, "is missing: each row is of a group"));
            }
        }
        let cells = |row| columns.iter().map(|c| self.cell(row, *c)).collect::<Vec<_>>();
        Ok(numbered((0..self.rows).map(cells)))
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
            _ => "commas",
        };
        let row = |k: usize| {
            let (row, k) = (before + k / columns + 1, k % columns);
            format!("row {row}, column {} ({})", self.place[k], self.names[k])
        };
        let all = || 0..self.cells.len();
        let first = |decimal: char| all().find(|k| decides(cell(*k), decimal));
        let (known, quoted) = (self.decimal, self.between == b',');
        let (mut comma, mut point) = (first(','), first('.'));
        if quoted && (point.is_some() || known == b'.') {
            comma = None;
        }
        // A comma that may divide thousands does, beside decimal points and in quotes.
        if comma.or(point).is_none() && known == 0 && !quoted {
            let open = |k: &usize| number(cell(*k)) && exchanged(cell(*k)).is_some();
            comma = all().find(|k| cell(*k).contains(',') && open(k));
            point = all().find(|k| cell(*k).contains('.') && open(k));
        }
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
        if comma.is_some() || known == b',' {
            let edits = all().filter_map(|k| Some((k, exchanged(cell(k))?))).collect::<Vec<_>>();
            let example = edits.iter().find(|own| Some(own.0) == comma);
            if let Some((k, to)) = example.filter(|_| known == 0) {
                let (from, to) = (shown(cell(*k)), plain(to).map_or(to.clone(), |own| own.0));
                watch.say(&format!(
                    "{}: cells are separated by {apart}, and \"{from}\" is read as {}{guess}",
                    self.path,
                    shown(&to)
                ));
            }
            self.rewrite(edits);
            self.decimal = b',';
        } else {
            if guessed && !quoted {
                watch.say(&format!("{}: cells are separated by {apart}{guess}", self.path));
            }
            if let Some(k) = point {
                let own = || all().map(cell).filter(|own| own.contains('.') && real(own).is_some());
                let thousands = |cell: &str| exchanged(cell).is_some();
                if self.before == 0 && own().all(thousands) && own().count() > 9 {
                    watch.say(&format!(
                        "{}: \"{}\" is read with a decimal point, as all such cells: where points divide thousands, \
                         take them out",
                        self.path,
                        cell(k)
                    ));
                }
                self.decimal = b'.';
            }
        }
        Ok(())
    }
}
