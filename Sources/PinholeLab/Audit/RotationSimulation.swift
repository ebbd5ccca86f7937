import PinholeCrypto
import PinholeModel
package import PinholeTrust

/// A day of a rotation that a program lives through: the server of the lab has keys in the places of the planned ones.
///
/// Nobody has the private keys of the plan, so each digest of a key that the server shows on that day is replaced, in the
/// policy files too, by that of the lab's key. Dates are moved by the days between that day and today.
package struct RotationSimulation: Sendable {
    private static let seconds: Int64 = 86_400

    private let rotation: Rotation
    /// The day of the plan that is played.
    package let day: RotationPlan.Day
    private let world: LabWorld

    /// Prepares a day.
    package init(_ rotation: Rotation, on day: RotationPlan.Day, in world: LabWorld) {
        self.rotation = rotation
        self.day = day
        self.world = world
    }

    /// The change of the server that the day follows, in a few words.
    package var step: String { rotation.plan.server[rotation.plan.step(on: day)].title }

    /// The releases that users have on the day, each with its predicted standing.
    package var releases: [(release: RotationPlan.Release, predicted: Rotation.Standing)] {
        zip(rotation.plan.releases, rotation.standings(on: day)).compactMap { release, standing in
            standing.map { (release, $0) }
        }
    }

    /// The path that a client finds on the day: the first one that has not ended, else the first one.
    private var path: [CertificateFacts] {
        let paths = rotation.plan.server[rotation.plan.step(on: day)].paths
        return paths.first { !$0.contains(where: hasEnded) } ?? paths.first ?? []
    }

    private var moment: Timestamp { Timestamp(seconds: Int64(day) * Self.seconds + Self.seconds - 1) }

    private func hasEnded(_ certificate: CertificateFacts) -> Bool { certificate.notAfter < moment }

    /// The digests of the planned keys, each with that of the lab's key in its place.
    private var keys: [(planned: [UInt8], own: [UInt8])] {
        let path = path
        guard let leaf = path.first else { return [] }
        var keys = [(leaf.spkiSHA256, world.leaf.spkiSHA256)]
        if path.count > 2 { keys.append((path[1].spkiSHA256, world.intermediate.spkiSHA256)) }
        if path.count > 1, let root = path.last { keys.append((root.spkiSHA256, world.root.spkiSHA256)) }
        return keys
    }

    /// Returns the policy file of a release with the lab's keys and moved dates.
    ///
    /// - Returns: The text; a binary file unchanged.
    package func file(of release: RotationPlan.Release) -> [UInt8] {
        guard let text = String(validating: release.file, as: UTF8.self), !text.utf8.contains(0) else {
            return release.file
        }
        var changed = text
        for (planned, own) in keys {
            for (old, new) in [
                (Base64.encode(planned), Base64.encode(own)),
                (Hexadecimal.encode(planned), Hexadecimal.encode(own)),
                (Hexadecimal.encode(planned).uppercased(), Hexadecimal.encode(own).uppercased()),
            ] {
                changed = changed.replacing(old.prefix { $0 != "=" }, with: new.prefix { $0 != "=" })
            }
        }
        return Array(moved(changed).utf8)
    }

    /// The pins of a release in curl's notation, with the lab's keys: `sha256//…;sha256//…`.
    package func pins(of release: RotationPlan.Release) -> String {
        let keys = keys
        let digests = release.policy.pinLists.flatMap(\.values).compactMap { Pin($0)?.digest }
        return digests.map { digest in
            "sha256//\(Base64.encode(keys.first { $0.planned == digest }?.own ?? digest))"
        }.joined(separator: ";")
    }

    /// Moves each date such as `2027-01-31` by the days between the day and today.
    private func moved(_ text: String) -> String {
        let today = world.now.seconds / Self.seconds
        var result = ""
        var rest = text[...]
        while let dash = rest.firstIndex(of: "-") {
            let start = rest.index(dash, offsetBy: -4, limitedBy: rest.startIndex)
            let end = rest.index(dash, offsetBy: 6, limitedBy: rest.endIndex)
            guard let start, let end, let date = CalendarDate.start(of: String(rest[start..<end])) else {
                result += rest[...dash]
                rest = rest[rest.index(after: dash)...]
                continue
            }
            let there = date.seconds / Self.seconds - Int64(day) + today
            result += rest[..<start] + CalendarDate.text(Timestamp(seconds: there * Self.seconds))
            rest = rest[end...]
        }
        return result + rest
    }

    /// The scenario of the day, which no catalogue has.
    package var scenario: Scenario {
        let ended = path.firstIndex(where: hasEnded)
        return Scenario.Group.changes.scenario(
            "D0",
            "the server on the day of the plan",
            presents: step,
            precondition: ""
        ) { (staging, world) throws(CryptoFailure) in
            guard let ended else { return }
            // An authority that has ended leads to no root that is trusted.
            guard ended == 0 else {
                staging.withdrawnRoots = [world.root]
                return
            }
            let leaf = try world.honest.leaf(for: [world.host], key: world.identity.key) { template in
                template.notBefore = world.now - .seconds(60 * Self.seconds)
                template.notAfter = world.now - .seconds(Self.seconds)
            }
            staging.identity = leaf
        }
    }
}
