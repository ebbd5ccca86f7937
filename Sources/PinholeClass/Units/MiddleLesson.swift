import PinholeClient
import PinholeCrypto
import PinholeLab
import PinholeWire

/// Lesson 3: a proxy between client and server.
struct MiddleLesson: ClassUnit {
    let number = 3

    func add(_ names: ClassNames, to routes: inout OriginRoutes) {
        routes.set("/login") { request in
            request.reply(
                200,
                type: "text/plain",
                body: Array("Welcome, \(names.user).\n".utf8),
                fields: ["Set-Cookie: session=\(names.session); Secure; HttpOnly"]
            )
        }
    }

    func answers(_ names: ClassNames) throws(CryptoFailure) -> [String: ExpectedAnswer] {
        ["password": .own(names.password), "session": .own(names.session)]
    }

    func facts(_ check: ClassCheck, _ entry: Entry, until isOver: @escaping End) async throws -> Results {
        try check.interception(after: entry.since)
    }

    func outcome(of trial: String, _ check: ClassCheck) async throws -> TrialOutcome {
        switch try await check.logIn(installed: trial == "installed" ? check.proxyRoot : []) {
        case .success(let response):
            TrialOutcome(
                accepts: true,
                [
                    check.say(
                        "the bank answered with \(response.head.status)",
                        "die Bank hat mit \(response.head.status) geantwortet"
                    )
                ]
            )
        // The app refuses a certificate with one of these; other errors say nothing about the root.
        case .failure(let failure) where [-1202, -1203].contains(failure.code.rawValue):
            TrialOutcome(accepts: false, [TrialClient.line(failure, check)])
        case .failure(let failure): TrialOutcome(choice: "", [TrialClient.line(failure, check)])
        }
    }
}
