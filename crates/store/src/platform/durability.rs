//! Makes what was written durable.
//!
//! On macOS the standard library asks the drive itself (`F_FULLFSYNC`), which network volumes
//! and some others refuse. The file is complete then, and often has its name already, so an
//! error would report a failure that did not happen. What the system can do is done instead.

use rustix::io::Errno;
use std::fs::File;
use std::io;

/// Makes a file's content and attributes, or the names in a folder, durable. Where the file
/// system cannot do that, it is left to the system.
pub fn make_durable(file: &File) -> io::Result<()> {
    or_weaker(file.sync_all(), || rustix::fs::fsync(file))
}

/// Makes a file's content durable, with as few attributes as reading it needs.
pub fn make_content_durable(file: &File) -> io::Result<()> {
    or_weaker(file.sync_data(), || rustix::fs::fsync(file))
}

/// The result of the strong call; of the weaker one, if the file system does not know the
/// strong one; success, if it knows neither.
fn or_weaker(
    strong: io::Result<()>,
    weaker: impl FnOnce() -> rustix::io::Result<()>,
) -> io::Result<()> {
    let is_unsupported = |error: &io::Error| {
        // Linux gives `INVAL` for files that cannot be synchronised.
        let known = [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOTTY, Errno::NOSYS];
        Errno::from_io_error(error).is_some_and(|error| known.contains(&error))
    };
    match strong {
        Err(error) if is_unsupported(&error) => match weaker().map_err(io::Error::from) {
            Err(error) if is_unsupported(&error) => Ok(()),
            result => result,
        },
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_sync_is_replaced_by_a_weaker_one_and_other_errors_stay() {
        let error = |errno: Errno| Err(io::Error::from(errno));
        let table = [
            (Ok(()), None, Ok(())),
            (error(Errno::NOTSUP), Some(Ok(())), Ok(())),
            (error(Errno::NOTTY), Some(Err(Errno::INVAL)), Ok(())),
            (error(Errno::INVAL), Some(Err(Errno::IO)), Err(Errno::IO)),
            (error(Errno::IO), None, Err(Errno::IO)),
            (error(Errno::NOSPC), None, Err(Errno::NOSPC)),
        ];
        for (strong, weaker, expected) in table {
            let shown = format!("{strong:?} {weaker:?}");
            let result =
                or_weaker(strong, || weaker.expect("not called after an error that stays"));
            let result = result.map_err(|error| Errno::from_io_error(&error).expect("a number"));
            assert_eq!(result, expected, "{shown}");
        }
    }

    #[test]
    fn files_folders_and_what_cannot_be_synchronised_pass() {
        let sandbox = testkit::Sandbox::new();
        let path = sandbox.write("a", "x");
        for path in [path.as_path(), sandbox.path(), std::path::Path::new("/dev/null")] {
            let file = File::open(path).expect("it opens");
            make_durable(&file).expect("durable");
            make_content_durable(&file).expect("durable");
        }
    }
}
