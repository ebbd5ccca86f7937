import Glibc
import PinholeFiles

/// The list of entries that a rotation has moved, in a file beside the capture until they are removed from it.
///
/// A process that is killed meanwhile would leave them in both files. The next one removes the rest by the list.
struct MovedEntries {
    private let capture: String

    private static let end = "."

    /// Finds the list of a capture.
    init(of capture: String) { self.capture = capture }

    private var path: String { "\(capture).moving" }

    /// Writes the list, before the new file gets its name.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the entries in the capture.
    ///   - target: The new file, whose name begins with that of the capture.
    /// - Throws: ``CaptureFailure`` if the list cannot be written.
    func note(_ numbers: [Int64], movedTo target: String) throws(CaptureFailure) {
        let list = numbers.map(String.init).joined(separator: ",")
        let lines = [try mark(), String(target.dropFirst(capture.count)), list, Self.end]
        do throws(Errno) {
            let file = try Descriptor(
                opening: path,
                flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
                mode: 0o600
            )
            try file.writeDurably(Array(lines.joined(separator: "\n").utf8))
        } catch {
            throw .system(path: path, "\(error)")
        }
    }

    /// Forgets the list.
    func forget() { unlink(path) }

    /// Removes the entries from the capture that a killed process has moved, if there is a list.
    ///
    /// - Throws: ``CaptureFailure`` if the capture cannot be read or written.
    func removeRest() throws(CaptureFailure) {
        guard let text = File.text(of: path) else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Without the new file nothing was moved, and a list that is cut off was written before it.
        if lines.count == 4, lines[3] == Self.end, lines[1].hasPrefix("."),
            File.exists(at: capture + lines[1]),
            try lines[0] == mark()
        {
            try CaptureEditor(path: capture).remove(lines[2].split(separator: ",").compactMap { Int64($0) })
        }
        forget()
    }

    /// The text that tells the capture from another one that took its place.
    private func mark() throws(CaptureFailure) -> String {
        try CaptureReader(path: capture).read { db in String(try CaptureSchema.meta("created", db) ?? 0) }
    }
}
