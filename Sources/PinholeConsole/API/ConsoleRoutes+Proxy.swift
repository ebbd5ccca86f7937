import PinholeModel
import PinholeSession

extension ConsoleRoute {
    /// The operations on a proxy and its clients.
    static let proxy: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/settings": .init(
            "The settings of the proxy",
            answers: [.json(ProxySettings.self, "The settings.")],
            problems: [409],
            work: .later { try await $0.settings() }
        ),
        "PUT /api/settings": .init(
            "Change the hosts that are passed through, or the filter of what is recorded",
            body: .body(of: SettingsOrder.self),
            answers: [.json(ProxySettings.self, "The settings.")],
            problems: [409, 422],
            work: .later { try await $0.setSettings() }
        ),
        "GET /api/settings/file": .init(
            "The configuration file as it is, and as it would be with the current settings",
            answers: [.json(SettingsFile.self, "Both texts.")],
            problems: [409, 422],
            work: .later { try await $0.settingsFile() }
        ),
        "PUT /api/settings/file": .init(
            "Write the current settings, unless the file has changed since it was shown",
            body: .body(of: SettingsFileOrder.self),
            answers: [.json(SettingsFile.self, "The file as it is now.")],
            problems: [409, 422, 500],
            work: .later { try await $0.writeSettingsFile() }
        ),
        "GET /api/browser": .init(
            "The browsers that can be opened through the proxy, and those that run",
            answers: [.json(BrowserListing.self, "The browsers.")],
            problems: [409],
            work: .later { try await $0.browsers() }
        ),
        "POST /api/browser": .init(
            "Open a browser with a fresh profile that uses the proxy and trusts its CA",
            body: .body(of: BrowserOrder.self, isRequired: false),
            answers: [
                .json(
                    BrowserListing.Running.self,
                    "It runs until the user closes it or the proxy ends.",
                    status: 201
                )
            ],
            problems: [409, 422, 500],
            work: .later { try await $0.openBrowser() }
        ),
        "DELETE /api/browser/{id}": .init(
            "End a browser, and remove its profile",
            answers: [.none("It has ended, and its profile is removed.")],
            problems: [404, 409],
            work: .later { try await $0.endBrowser() }
        ),
        "GET /api/connect": .init(
            "The way in which each kind of client connects, and its traffic since the proxy began",
            answers: [.json(ConnectListing.self, "The ways.")],
            problems: [409],
            work: .later { try await $0.connect() }
        ),
        "POST /api/runs": .init(
            "Let a program join the proxy, as pinhole run does beside pinhole proxy",
            body: .body(of: RunOrder.self),
            answers: [.json(RunPlace.self, "The proxy listens for it.", status: 201)],
            problems: [409, 422],
            work: .later { try await $0.beginRun() }
        ),
        "DELETE /api/runs/{id}": .init(
            "End a run, and tell what its program did",
            answers: [.json(RunOutcome.self, "The proxy no longer listens for it.")],
            problems: [404, 409],
            work: .later { try await $0.endRun() }
        ),
        "GET /api/trust": .init(
            "Servers whose bad certificates are accepted, and those that get a client certificate",
            answers: [.json(TrustListing.self, "The settings of single servers.")],
            problems: [409],
            work: .later { try await $0.trust() }
        ),
        "PUT /api/trust/accepted/{host}": .init(
            "Accept any certificate of one server until the proxy ends",
            answers: [
                .json(TrustListing.self, "It is accepted. Idle connections to the server were closed.")
            ],
            problems: [409, 422],
            work: .later { try await $0.acceptCertificate() }
        ),
        "DELETE /api/trust/accepted/{host}": .init(
            "Check the certificate of a server again that was accepted here",
            answers: [.json(TrustListing.self, "It is checked.")],
            problems: [404, 409, 422],
            work: .later { try await $0.checkCertificate() }
        ),
        "PUT /api/trust/client-certificates/{host}": .init(
            "Present a client certificate to one server until the proxy ends",
            body: .body(of: CertificateOrder.self),
            answers: [
                .json(TrustListing.self, "It is presented. Idle connections to the server were closed.")
            ],
            problems: [409, 422],
            work: .later { try await $0.presentCertificate() }
        ),
        "DELETE /api/trust/client-certificates/{host}": .init(
            "Present no client certificate any more to a server for which one was chosen here",
            answers: [.json(TrustListing.self, "None is presented, unless the configuration names one.")],
            problems: [404, 409, 422],
            work: .later { try await $0.withdrawCertificate() }
        ),
    ]

    /// The operations on rules, and on the messages that they hold.
    static let rules: KeyValuePairs<String, ConsoleOperation> = [
        "GET /api/rules": .init(
            "The rules, the number of times that they acted, and remarks on them",
            answers: [.json(RuleListing.self, "The rules.")],
            problems: [409],
            work: .later { try await $0.rules() }
        ),
        "PUT /api/rules": .init(
            "Replace the rules from now on",
            body: .body(of: RulesOrder.self),
            answers: [.json(RuleListing.self, "The rules.")],
            problems: [409, 422],
            work: .later { try await $0.setRules() }
        ),
        "GET /api/rules/kinds": .init(
            "The kinds of rules with their keys, as forms ask for them",
            answers: [.json(RuleForms.self, "The kinds.")],
            problems: [409],
            work: .later { try await $0.ruleForms() }
        ),
        "POST /api/rules/check": .init(
            "Read a rule that somebody is writing, without a change of the rules",
            body: .body(of: RuleOrder.self),
            answers: [
                ConsoleContent(
                    meaning: "The meaning of the rule, or its mistake.",
                    types: ["application/json"]
                ) {
                    .either(try $0.schema(of: RuleReading.self), try $0.schema(of: MistakenRule.self))
                }
            ],
            problems: [409],
            work: .later { try await $0.checkRule() }
        ),
        "GET /api/breakpoints": .init(
            "The messages that are held at breakpoints, without fields and content",
            answers: [.json(HeldListing.List.self, "The held messages.")],
            problems: [409],
            work: .later { try await $0.breakpoints() }
        ),
        "GET /api/breakpoints/{id}": .init(
            "A held message, with fields and content",
            answers: [.json(HeldListing.self, "The message.")],
            problems: [404, 409],
            work: .later { try await $0.breakpoint() }
        ),
        "POST /api/breakpoints/{id}/continue": .init(
            "Let a message go on, perhaps edited",
            body: .body(of: DecisionOrder.self, isRequired: false) { $0.lacking(["reset"]) },
            answers: [.none("It goes on.")],
            problems: [404, 409],
            work: .later { try await $0.continueBreakpoint() }
        ),
        "POST /api/breakpoints/{id}/respond": .init(
            "Answer the client in the server's place",
            body: .body(of: DecisionOrder.self, isRequired: false) {
                $0.lacking(["method", "path", "reset"])
            },
            answers: [.none("The client gets the answer.")],
            problems: [404, 409],
            work: .later { try await $0.respondBreakpoint() }
        ),
        "POST /api/breakpoints/{id}/drop": .init(
            "End the exchange without an answer",
            body: .body(of: DecisionOrder.self, isRequired: false) {
                $0.lacking(["method", "path", "status", "fields", "body", "bodyBase64"])
            },
            answers: [.none("It ends.")],
            problems: [404, 409],
            work: .later { try await $0.dropBreakpoint() }
        ),
    ]
}
