extension OriginRoutes {
    /// The routes of the server of the lab.
    package static let lab = {
        var routes = OriginRoutes()
        routes.set("/account") { $0.reply(200, type: "text/plain", body: Array("balance: 42\n".utf8)) }
        return routes
    }()
}
