package import PinholeLab
import PinholeModel

/// The servers of a student's world: shop, clinic, bank and the six stations.
package enum ClassServers {
    /// The hosts with their certificates.
    package static func hosts(of world: ClassWorld) -> [VirtualHost] {
        let names = world.names
        return [
            VirtualHost(names.bank, identity: world.bank), VirtualHost(names.clinic, identity: world.clinic),
        ] + world.stations.map { VirtualHost($0.host, identity: $0.identity) }
    }

    /// The answers of the servers.
    package static func routes(of names: ClassNames) -> OriginRoutes {
        var routes = OriginRoutes()
        routes.set("/") { request in
            request.reply(200, type: "text/plain", body: Array("Welcome to \(names.domain).\n".utf8))
        }
        routes.set("/basket") { request in
            request.reply(200, type: "text/plain", body: Array("Your basket is empty.\n".utf8))
        }
        routes.set("/login") { request in
            request.reply(
                200,
                type: "text/plain",
                body: Array("Welcome, \(names.user).\n".utf8),
                fields: ["Set-Cookie: session=\(names.session); Secure; HttpOnly"]
            )
        }
        for document in names.documents {
            routes.set("/\(document.name)") { request in
                let line = Array("\(names.seed.token(document.name, length: 31))\n".utf8)
                let body = (0..<document.size).map { line[$0 % line.count] }
                return request.reply(200, type: "text/plain", body: body)
            }
        }
        return routes
    }
}
