import PinholePolicies
import PinholeTrust

/// Small files of text, such as passphrases.
enum TextFile {
    /// Returns the first line of the file at `path`.
    static func firstLine(_ path: String, for purpose: String) throws(CommandFailure) -> String {
        let content: [UInt8]
        do throws(PolicyFailure) {
            content = try PolicyFile.content(of: path, limit: 1 << 16)
        } catch {
            throw CommandFailure(.couldNotRun, "no line for \(purpose): \(error)")
        }
        let line = content.prefix { $0 != 0x0a && $0 != 0x0d }
        return String(decoding: line, as: UTF8.self)
    }
}
