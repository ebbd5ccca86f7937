import PinholePolicies
import PinholeTrust
import PinholeWire

extension ProtobufSchema {
    /// The maximum size of a file; all of Google's own interfaces together have 20 MiB.
    private static let fileBytes = 64 << 20

    /// Reads the descriptor set in a file.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``CommandFailure`` if the file cannot be read, or is not a descriptor set.
    init(file path: String) throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(PolicyFailure) {
            bytes = try PolicyFile.content(of: path, limit: Self.fileBytes)
        } catch {
            throw CommandFailure(.couldNotRun, "no descriptor set: \(error)")
        }
        do throws(ProtobufFailure) {
            self = try ProtobufSchema(descriptorSet: bytes)
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }
}
