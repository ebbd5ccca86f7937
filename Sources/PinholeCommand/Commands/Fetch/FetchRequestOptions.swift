import ArgumentParser
import PinholeClient

/// The options for the request of a fetch, and for the behaviour of its client.
struct FetchRequestOptions: ParsableArguments {
    @Option(
        help: .value("name:password", "For Basic and Digest, where the server asks."),
        transform: { text in
            WithheldValue(text) { text in
                guard let colon = text.firstIndex(of: ":") else {
                    throw ValidationError("expected NAME:PASSWORD")
                }
                return Credential(
                    user: String(text[..<colon]),
                    password: String(text[text.index(after: colon)...])
                )
            }
        }
    )
    var user: WithheldValue<Credential>?

    @Option(help: "The method of the request.")
    var method = "GET"

    @Option(
        help: .value("name: value", "A header of the request; may be repeated."),
        transform: { text in
            WithheldValue(text) { text in
                // The value may be “Authorization …” without its colon, so the message does not repeat it.
                guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
                    throw ValidationError("expected “Name: value”, found no colon after a name")
                }
                let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                return (String(text[..<colon]), String(value))
            }
        }
    )
    var header: [WithheldValue<(name: String, value: String)>] = []

    @Flag
    var version = FetchVersion.http11

    @Option(
        help: .value(
            "how",
            "The use of an HTTP/2 connection for other hosts that its certificate names: judgedAgain, off or "
                + "dangerSkipsJudgement."
        )
    )
    var coalescing = ClientSettings.Coalescing.judgedAgain

    @Option(
        help: .value(
            "place",
            "The moment at which the client judges the server: insideHandshake or afterHandshake."
        )
    )
    var checkPlace = ClientSettings.CheckPlace.insideHandshake

    @Option(
        help: .value("how", "The use of a resumed TLS session: judgedAgain, off or dangerSkipsJudgement.")
    )
    var resumption = ClientSettings.Resumption.judgedAgain

    @Option(help: .value("count", "The most redirects to follow."))
    var maxRedirects = 20

    func validate() throws {
        try user?.check("--user")
        for field in header { try field.check("--header") }
        guard (0...1000).contains(maxRedirects) else {
            throw ValidationError("--max-redirects: expected 0 to 1000, found \(maxRedirects)")
        }
    }

    /// Copies the options into `settings`, for a fetch of `url`.
    func apply(to settings: inout ClientSettings, _ url: ClientURL) {
        if let user = user?.value { settings.logins = [(url, user)] }
        settings.checkPlace = checkPlace
        settings.resumption = resumption
        settings.protocols = version.protocols
        settings.coalescing = coalescing
        settings.redirectLimit = maxRedirects
    }
}

extension ClientSettings.CheckPlace: ExpressibleByArgument {}
extension ClientSettings.Resumption: ExpressibleByArgument {}
extension ClientSettings.Coalescing: ExpressibleByArgument {}
