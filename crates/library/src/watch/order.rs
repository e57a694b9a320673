//! Which messages keep their places when the order of a conversation changes.

/// Given items in their new order, each with its old place: those that can stay
/// where they are while the others move. As many as possible (a longest
/// increasing subsequence).
pub(super) fn staying(old: &[usize]) -> Vec<bool> {
    if old.is_sorted() {
        return vec![true; old.len()];
    }
    // The last item of the best sequence of each length, and the predecessor of
    // each item in its best sequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(old.len());
    for (place, value) in old.iter().enumerate() {
        let length = ends.partition_point(|end| old[*end] < *value);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        if length == ends.len() {
            ends.push(place);
        } else {
            ends[length] = place;
        }
    }
    let mut staying = vec![false; old.len()];
    let mut next = ends.last().copied();
    while let Some(place) = next {
        staying[place] = true;
        next = before[place];
    }
    staying
}

#[cfg(test)]
mod tests {
    use crate::watch::order::staying;

    #[test]
    fn as_many_items_as_possible_stay() {
        let table: [(&[usize], &[usize]); 6] = [
            (&[], &[]),
            (&[0, 1, 2], &[0, 1, 2]),
            (&[0, 2, 1, 3], &[0, 1, 3]),
            (&[3, 0, 1, 2], &[0, 1, 2]),
            (&[2, 1, 0], &[0]),
            (&[4, 0, 5, 1, 6, 2], &[0, 1, 2]),
        ];
        for (old, expected) in table {
            let kept = staying(old);
            let kept: Vec<usize> =
                old.iter().zip(kept).filter_map(|(value, stays)| stays.then_some(*value)).collect();
            assert_eq!(kept.len(), expected.len(), "{old:?}");
            assert!(kept.is_sorted(), "{old:?}");
        }
    }
}
