import Foundation
import Glibc

/// Where an audited program writes: to a file whose last line is of interest, or to our standard error.
///
/// A file and no pipe: what the program leaves running may hold it open for as long as it likes.
struct AuditOutput {
    /// For its standard output.
    let output: Int32
    /// For its standard error.
    let errors: Int32

    private let path: String?
    /// What is looked at for the last line.
    private static let tail: UInt64 = 4096

    /// Opens both.
    ///
    /// - Parameters:
    ///   - directory: Where the file is made.
    ///   - isShown: Whether everything goes to our standard error instead.
    /// - Throws: ``CommandFailure`` when one cannot be opened.
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
            throw CommandFailure(.couldNotRun, "could not open a file for the program's output: \(reason)")
        }
    }

    /// Closes both.
    func close() {
        for descriptor in [output, errors] where descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// The last line that says anything; `nil` for none.
    var lastLine: String? {
        guard let path, let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        guard let size = try? handle.seekToEnd(),
            (try? handle.seek(toOffset: size > Self.tail ? size - Self.tail : 0)) != nil,
            let data = try? handle.read(upToCount: Int(Self.tail))
        else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.last { $0.contains { !$0.isWhitespace } }.map { Plain.printable(String($0.prefix(200))) }
    }

    /// A descriptor as the type of a module that we do not import.
    static func wrap<Descriptor: RawRepresentable>(
        _ descriptor: Int32
    ) throws(CommandFailure) -> Descriptor where Descriptor.RawValue == Int32 {
        guard let wrapped = Descriptor(rawValue: descriptor) else {
            throw CommandFailure(.couldNotRun, "expected an open descriptor, found \(descriptor)")
        }
        return wrapped
    }
}
