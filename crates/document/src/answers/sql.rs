//! Results of SQL queries.

use std::collections::HashSet;

/// Makes names unique: the second `n` becomes `n_2`.
pub fn unique_columns(names: &[String]) -> Vec<String> {
    let given: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut taken: HashSet<String> = HashSet::new();
    let mut unique = Vec::with_capacity(names.len());
    for name in names {
        let mut own = name.clone();
        let mut number = 1;
        while !taken.insert(own.clone()) {
            number += 1;
            own = format!("{name}_{number}");
            // Another column has this name, and keeps it.
            if given.contains(own.as_str()) {
                own.clone_from(name);
            }
        }
        unique.push(own);
    }
    unique
}
