import PinholeClient
import PinholeCrypto
import PinholeModel
import PinholeTrust
import PinholeWire

extension Scenario {
    /// The scenarios about redirects, plain HTTP, credentials, and the servers that get them.
    package static let application: [Scenario] = redirects + cleartext + credentials

    /// The scenarios about redirects.
    private static let redirects: [Scenario] = [
        Group.application.scenario(
            "B11",
            "a redirect to a host without pins",
            presents: "the honest server, which redirects to another host with a good certificate",
            precondition: "an open redirect on the server",
            correctClient: "does not follow the redirect, or reports that the connection is not pinned",
            remedy: "pins, or a list of hosts, for wherever a redirect may lead",
            references: ["CWE-601", "curl --location with --pinnedpubkey"],
            refusedBy: [.everyHost, .unknownHost],
            audit: .redirect
        ) { (staging, world) throws(CryptoFailure) in
            let decoy = try world.rogue.leaf(for: [LabWorld.attackerHost], key: world.attackerKey)
            staging.otherHosts = [VirtualHost(LabWorld.attackerHost, identity: decoy)]
            staging.routes.set("/account") { request in
                if request.peer.serverName == LabWorld.attackerHost.name { return request.account() }
                return request.redirect(to: "https://\(LabWorld.attackerHost):\(request.port)/account")
            }
        },
        Group.application.scenario(
            "B09",
            "a pinned host on another host's connection",
            presents:
                "a certificate by another public CA for the attacker's host and the pinned one; over HTTP/2"
                + " one connection serves both",
            precondition: "a CA that mis-issues, and a link of the attacker's that the app opens",
            correctClient: "checks the pins of the second host before it shares the connection of the first",
            remedy:
                "pins that are asked for every host that a connection is used for, not once when it is made",
            references: ["RFC 9113 9.1.1", "whatwg/fetch 98"],
            refusedBy: [.keys, .everyHost, .unknownHost],
            audit: .impossible(.otherHost),
            conduct: overOneConnection
        ) { (staging, world) throws(CryptoFailure) in
            let both = try world.rogue.leaf(for: [LabWorld.attackerHost, world.host], key: world.attackerKey)
            staging.impostor = .presenting(both)
            staging.writtenHost = LabWorld.attackerHost.description
            staging.otherHosts = [VirtualHost(LabWorld.attackerHost, identity: both)]
            staging.adapt = { $0.protocols = [.http2] }
            staging.routes.set("/account") { request in
                guard request.head.host?.host == LabWorld.attackerHost else { return request.account() }
                return request.redirect(to: "https://\(world.host):\(request.port)/account")
            }
        },
        Group.application.scenario(
            "B12",
            "a redirect to plain HTTP",
            presents: "the honest server, which redirects to itself without TLS",
            precondition: "a redirect that is written badly, or that the attacker chooses",
            correctClient: "does not follow",
            remedy:
                "no redirects from https to http (App Transport Security, HSTS); pins have nothing to compare",
            references: ["RFC 6797", "nogotofail sslstrip"],
            refusedBy: .library,
            audit: ScenarioAudit(.redirect, obstacle: .needsProxy)
        ) { staging, world in
            staging.routes.set("/account") { request in
                guard request.peer.version != nil, let port = request.peer.plainPort else {
                    return request.account()
                }
                return request.redirect(to: "http://\(world.host):\(port)/account")
            }
        },
    ]

    /// Requests that were never protected.
    private static let cleartext: [Scenario] = [
        Group.application.scenario(
            "B13",
            "the first request over plain HTTP",
            presents: "the honest server on plain HTTP, which the attacker can read and change",
            precondition: "the app has a URL with http:",
            correctClient: "refuses http: for the host",
            remedy:
                "a client that refuses plain HTTP (App Transport Security, usesCleartextTraffic, HSTS preload)",
            references: ["SSLstrip", "RFC 6797 14.6"],
            refusedBy: .cleartext,
            audit: .impossible(.unseen)
        ) { staging, _ in
            staging.scheme = .http
        },
        Group.application.scenario(
            "B14",
            "plain HTTP for the host with a trailing dot",
            presents: "the honest server on plain HTTP, under its name with a dot at the end",
            precondition: "a link that the attacker writes",
            correctClient: "refuses: it is the same host",
            remedy: "one spelling of the host before it is looked up: lower case, without the last dot",
            references: ["CVE-2022-43551", "CVE-2022-42916"],
            refusedBy: .cleartext,
            audit: .impossible(.unseen)
        ) { staging, world in
            staging.scheme = .http
            staging.writtenHost = "\(world.host)."
        },
    ]

    /// The scenarios about names, passwords and certificates of the client, and the servers that get them.
    private static let credentials: [Scenario] = [
        Group.application.scenario(
            "B16",
            "a proxy that asks for the password",
            presents: "407 with Basic from the proxy, in the clear",
            precondition: "a hostile network, or a hostile proxy",
            correctClient: "does not give the server's name and password to the proxy",
            remedy: "a challenge handler that looks at isProxy",
            references: ["RFC 9110 11.7", "URLProtectionSpace.isProxy"],
            refusedBy: .library,
            audit: .impossible(.credentials),
            conduct: sendsNoSecret(
                "The proxy got a name and a password in the clear",
                kept: "The proxy got no name and no password."
            )
        ) { staging, _ in
            staging.hostileProxy = .askingAsProxy(staging.journal)
            staging.knowsLogin = true
        },
        Group.application.scenario(
            "B17",
            "a proxy that answers in the server's place",
            presents: "200 to CONNECT, then a page instead of the tunnel",
            precondition: "a hostile network, or a hostile proxy",
            correctClient: "does not take the page for the server's response",
            remedy: "a client that reads nothing but TLS behind a CONNECT",
            references: ["CERT VU#905344 (FalseCONNECT)"],
            refusedBy: .library,
            audit: .impossible(.unseen),
            conduct: refusedUnlessAnswered
        ) { staging, _ in
            var routes = OriginRoutes()
            routes.set("*") { request in
                let page = Array("<script>alert(1)</script>\n".utf8)
                return request.reply(200, type: "text/html", body: page, fields: ["Set-Cookie: id=1"]) + [
                    .close
                ]
            }
            staging.hostileProxy = routes
        },
        Group.application.scenario(
            "B18",
            "Digest, then endless demands for Basic",
            presents: "401 with Digest, then 401 with Basic after every attempt",
            precondition: "the server is hostile, or was taken over",
            correctClient: "gives up after a few attempts, and sends no password in the clear after a digest",
            remedy: "a handler that looks at previousFailureCount, and never falls back from Digest to Basic",
            references: ["RFC 7616 5.4", "URLAuthenticationChallenge.previousFailureCount"],
            refusedBy: .library,
            audit: .impossible(.credentials),
            conduct: sendsNoSecret(
                "It fell back to Basic, and the server got a name and a password",
                kept: "It sent no password in the clear, and gave up."
            )
        ) { staging, _ in
            staging.routes = .downgrading(staging.journal)
            staging.knowsLogin = true
        },
        Group.application.scenario(
            "B21",
            "the proxy asks for no client certificate",
            presents:
                "a leaf that the proxy minted; unlike the server, the proxy requests no client certificate",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "refuses: its server would have requested a certificate",
            remedy: "a client that insists on being asked for its certificate, or a pin",
            references: ["RFC 8446 4.3.2"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.credentials)
        ) { staging, world in
            staging = .proxied(world)
            staging.adapt = { $0.identity = world.clientIdentity }
        },
        Group.application.scenario(
            "B22",
            "a client certificate shown to the proxy",
            presents: "a leaf that the proxy minted, and a request for the client's certificate",
            precondition: "the proxy's CA is installed on the device",
            correctClient: "cannot be impersonated: its signature holds for this one connection",
            remedy: "client certificates that the server demands",
            references: ["RFC 8446 4.4.3"],
            refusedBy: .library,
            audit: .impossible(.credentials),
            conduct: refusedByServer
        ) { staging, world in
            staging = .proxied(world)
            staging.options.clientAnchors = [world.honest.root.certificate]
            staging.impostorOptions.clientAnchors = [world.honest.root.certificate]
            staging.adapt = { $0.identity = world.clientIdentity }
        },
        Group.application.scenario(
            "B23",
            "the app's token forwarded by the proxy",
            presents:
                "a leaf that the proxy minted; requests go on to the server over the proxy's connection",
            precondition: "the proxy's CA is installed on the device",
            correctClient:
                "binds its token to its connection, and the server refuses the token from another connection",
            remedy: "channel binding (tls-exporter) that the server checks, or a pin",
            references: ["RFC 9266", "RFC 5929", "SCRAM-PLUS"],
            refusedBy: [.systemPath, .keys, .timestamps],
            audit: .impossible(.credentials),
            conduct: boundToConnection
        ) { staging, world in
            staging = .proxied(world)
            staging.routes.set("/account") { request in
                request.isBoundToConnection == false ? request.reply(403) : request.account()
            }
        },
    ]
}

extension OriginRoutes {
    /// Makes the routes of a proxy that asks for a name and a password by Basic, and notes the answers.
    fileprivate static func askingAsProxy(_ journal: LabJournal) -> OriginRoutes {
        var routes = OriginRoutes()
        routes.set("*") { request in
            if let login = request.login("proxy-authorization") { journal.note(login) }
            let challenge = "Proxy-Authenticate: Basic realm=\"Internet\""
            return request.reply(407, fields: [challenge, "Connection: close"]) + [.close]
        }
        return routes
    }

    /// Makes the routes of a server that asks for a digest, and after that for the password itself, without end.
    fileprivate static func downgrading(_ journal: LabJournal) -> OriginRoutes {
        var routes = OriginRoutes()
        routes.set("/account") { request in
            guard request.head.fields.first("authorization") != nil else {
                let challenge = "Digest realm=\"accounts\", nonce=\"4a6f\", qop=\"auth\", algorithm=SHA-256"
                return request.reply(401, fields: ["WWW-Authenticate: \(challenge)"])
            }
            if let login = request.login("authorization") { journal.note(login) }
            return request.reply(401, fields: ["WWW-Authenticate: Basic realm=\"accounts\""])
        }
        return routes
    }
}
