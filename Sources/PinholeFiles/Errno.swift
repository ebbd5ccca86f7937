import Glibc

/// An error number of the system.
package struct Errno: Error, Equatable, CustomStringConvertible {
    /// The number, such as `ENOENT`.
    package let code: Int32

    /// Creates an error from its number.
    package init(code: Int32) { self.code = code }

    /// The error of the last failed system call of this thread.
    package static var current: Errno { Errno(code: errno) }

    /// The text of the system: `No such file or directory`.
    package var description: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
