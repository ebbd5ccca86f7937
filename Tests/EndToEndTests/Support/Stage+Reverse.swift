import PinholeLab
import PinholeRuntime
import PinholeTestKit
import Testing

extension Stage.Setup {
    /// A stage whose second listener stands before a server, or is a port of it.
    ///
    /// - Parameters:
    ///   - more: More of config.json.
    ///   - server: The mode and the server, such as `reverse:https://shop.example.test`.
    /// - Returns: The setup.
    static func before(
        _ more: String = "",
        _ server: @escaping @Sendable (Origin) -> String
    ) -> Self {
        var setup = Self()
        setup.replacesListen = true
        setup.prepare = { origin, directory in
            let listen = "\(server(origin))@127.0.0.1:0"
            try directory.write(
                #"{"proxy": {"listen": ["127.0.0.1:0", "\#(listen)"]}\#(more)}"#,
                to: "reverse.json"
            )
        }
        setup.arguments = ["--config", "reverse.json"]
        return setup
    }
}

extension Stage {
    /// Where the listener is that stands before a server.
    func portBeforeServer() async throws -> UInt16 {
        let line = try await process.line { line in
            TrafficLine(line)?.type == "listening" && line.contains("\"origin\"")
        }
        let address = try #require(TrafficLine(line)?.address)
        return try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    }

    /// What curl says that knows of no proxy and trusts the CA, with the status after a space.
    func askDirectly(_ words: String...) async throws -> String {
        let result = try await ProcessRunner.run(
            Invocation(
                "curl",
                [
                    "-sS", "--max-time", "\(Patience.seconds)", "--cacert", authorityPath, "-w",
                    " %{http_code}",
                ] + words,
                environment: [
                    "NO_PROXY": "*", "no_proxy": "*", "HTTPS_PROXY": nil, "https_proxy": nil,
                    "http_proxy": nil,
                ]
            )
        )
        return result.text + result.errorText
    }
}
