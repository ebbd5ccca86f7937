import ArgumentParser
import PinholeSession
import PinholeWire

/// The option `--proto`.
struct ProtoOptions: ParsableArguments {
    @Option(
        help: .value(
            "file",
            "A .proto file, or a descriptor set, that names the fields of Protocol Buffers and gRPC; may be repeated."
        )
    )
    var proto: [String] = []

    /// Reads the files.
    ///
    /// - Returns: Their declarations; `nil` without a file.
    /// - Throws: ``CommandFailure`` if a file cannot be read.
    func schema() async throws(CommandFailure) -> ProtobufSchema? { try await ProtobufSchema.read(proto) }
}
