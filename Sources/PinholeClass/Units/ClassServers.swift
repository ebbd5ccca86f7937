package import PinholeLab

/// The servers of a student's world, for all lessons of the class.
package enum ClassServers {
    /// The hosts with their certificates.
    package static func hosts(of world: ClassWorld) -> [VirtualHost] {
        // A name that no lesson has gets the certificate of the bank.
        let units = world.lessons.numbers.compactMap { ClassUnits.unit($0) }
        return [VirtualHost(world.names.bank, identity: world.bank)] + units.flatMap { $0.hosts(world) }
    }

    /// The answers of the servers.
    package static func routes(of names: ClassNames) -> OriginRoutes {
        var routes = OriginRoutes()
        for unit in ClassUnits.all { unit.add(names, to: &routes) }
        return routes
    }
}
