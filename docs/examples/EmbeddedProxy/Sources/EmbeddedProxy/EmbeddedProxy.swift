import Pinhole

/// Marks requests, and answers one path itself.
struct Marker: Interceptor {
    func decide(_ request: inout Request) async throws -> Decision {
        if request.path == "/teapot" {
            return .respond(Response(status: 418, body: Array("short and stout\n".utf8)))
        }
        request.fields["X-Seen-By"] = "Marker"
        return .proceed
    }
}

@main
struct EmbeddedProxy {
    static func main() async throws {
        var options = Proxy.Options(authorityDirectory: "ca")
        options.listen = CommandLine.arguments.dropFirst().first ?? "127.0.0.1:18090"
        options.interceptors = [Marker()]
        let proxy = try await Proxy.start(options)
        print("listening on 127.0.0.1:\(proxy.port), CA in \(proxy.certificatePath)")
        for await exchange in proxy.exchanges.prefix(2) {
            print(exchange.method, exchange.url, exchange.status ?? 0, exchange.effects)
        }
        await proxy.stop()
    }
}
