import Glibc
import PinholeFiles
import PinholeSession

/// The output of an audited program: a file whose last line is shown, or the standard error of Pinhole.
///
/// A pipe would not do: processes that the program leaves behind may hold it open for any time.
struct AuditOutput {
    /// The descriptor for the program's standard output.
    let output: Int32
    /// The descriptor for the program's standard error.
    let errors: Int32

    private let path: String?
    /// The maximum count of bytes from the end of the file in which the last line is searched.
    private static let tail = 4096

    /// Opens both descriptors.
    ///
    /// - Parameters:
    ///   - directory: The directory of the file.
    ///   - isShown: Whether all output goes to the standard error of Pinhole instead.
    /// - Throws: ``CommandFailure`` if a descriptor cannot be opened.
    init(in directory: PrivateDirectory, isShown: Bool) throws(CommandFailure) {
        path = isShown ? nil : "\(directory.path)/stderr"
        if let path {
            errors = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            output = open("/dev/null", O_WRONLY | O_CLOEXEC)
        } else {
            errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            output = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        }
        guard errors >= 0, output >= 0 else {
            let reason = String(cString: strerror(errno))
            close()
            throw CommandFailure("could not open a file for the program's output: \(reason)")
        }
    }

    /// Closes both descriptors.
    func close() {
        for descriptor in [output, errors] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The last line that is not empty; `nil` if there is none.
    var lastLine: String? {
        guard let path, let file = try? Descriptor(opening: path, flags: O_RDONLY) else { return nil }
        // If the file is shorter, the seek fails, and the file is read from its beginning.
        lseek(file.number, -Self.tail, SEEK_END)
        guard let bytes = try? file.read(upTo: Self.tail) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last { $0.contains { !$0.isWhitespace } }.map { Plain.printable(String($0.prefix(200))) }
    }

    /// Converts a descriptor to the type of a module that this file does not import.
    static func wrap<Descriptor: RawRepresentable>(
        _ descriptor: Int32
    ) throws(CommandFailure) -> Descriptor where Descriptor.RawValue == Int32 {
        guard let wrapped = Descriptor(rawValue: descriptor) else {
            throw CommandFailure("expected an open descriptor, found \(descriptor)")
        }
        return wrapped
    }
}
