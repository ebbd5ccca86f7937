import Foundation
import PinholeCrypto
import PinholeModel
import PinholeStore
import PinholeTestKit
import Testing

/// Runs of the programs in Tests/Clients/websocket, which are client and server at once.
enum WebSocketServers {
    /// Messages of one side, as a program tells them.
    struct Told: Decodable, Equatable {
        var kind: String
        var length: Int
        var sha256: String
    }

    /// The certificate that leads the client to the server in the program.
    static func identity() throws -> (root: Certificate, identity: Identity) {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        return try OriginAuthorityMaker.make(try Authority("ws.example.test:443").host, now: now)
    }

    /// Runs a program through the proxy of `stage` to its end.
    ///
    /// - Returns: The lines that it printed.
    static func run(
        _ program: String,
        _ words: [String],
        _ identity: Identity,
        _ stage: Stage
    ) async throws -> [Data] {
        let python = try #require(Executable.testPython)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
                "Clients/websocket"
            )
        let path = try stage.directory.write(identity.pem, to: "identity.pem")
        let result = try await ProcessRunner.run(
            Invocation(
                python,
                [
                    folder.appendingPathComponent(program).path, "--proxy-port", "\(stage.port)", "--ca",
                    stage.authorityPath, "--identity", path,
                ] + words,
                environment: ["PYTHONDONTWRITEBYTECODE": "1"]
            )
        )
        try #require(result.isSuccess, "\(result)")
        return result.text.split(separator: "\n").map { Data($0.utf8) }
    }

    /// The messages of an exchange, decoded.
    static func entries(
        of id: ExchangeID,
        _ reader: CaptureReader
    ) throws -> [WebSocketTranscript.Entry] {
        let record = try #require(try reader.exchange(id))
        let transcript = WebSocketTranscript(of: record, in: reader)
        var entries: [WebSocketTranscript.Entry] = []
        while let entry = try transcript.next() { entries.append(entry) }
        return entries
    }

    /// The messages of text and bytes that `side` sent, as a program would tell them.
    static func told(_ entries: [WebSocketTranscript.Entry], from side: Side) -> [Told] {
        entries.filter { $0.message.sender == side && [.text, .binary].contains($0.message.kind) }
            .map { entry in
                let digest = Digest.sha256(entry.content)
                return Told(
                    kind: entry.message.kind == .text ? "text" : "binary",
                    length: entry.content.count,
                    sha256: digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                )
            }
    }
}
