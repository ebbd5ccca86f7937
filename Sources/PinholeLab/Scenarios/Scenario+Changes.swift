import PinholeCrypto
import PinholeModel

extension Scenario {
    /// Legitimate changes of the server that must raise no alarm.
    package static let changes: [Scenario] = [
        Scenario(
            "L02",
            .change,
            .changes,
            "renewal with the same key",
            presents: "a new certificate by the same CA for the same key",
            precondition: "none",
            correctClient: "goes along",
            remedy: "pin keys, not certificates",
            references: ["RFC 7469 2.4"]
        ) { world throws(CryptoFailure) in
            .served(world, try world.honest.leaf(for: [world.host], key: world.identity.key))
        },
        Scenario(
            "L03",
            .change,
            .changes,
            "rotation to the pinned backup key",
            presents: "a certificate by the same CA for the key that was pinned as a backup",
            precondition: "none",
            correctClient: "goes along",
            remedy: "pin keys, not certificates, and a backup with them",
            references: ["RFC 7469 4.3"]
        ) { world in
            .served(world, world.backupIdentity)
        },
    ]
}
