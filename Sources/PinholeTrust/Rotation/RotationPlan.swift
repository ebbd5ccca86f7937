package import PinholeModel

/// The plan of a server's keys and certificates, and of the app versions that pin them.
package struct RotationPlan: Sendable {
    /// A day, as the number of days since 1970.
    package typealias Day = Int

    /// The chains that the server presents from a day on.
    package struct ServerStep: Sendable {
        /// The first day.
        package var day: Day
        /// The change, in a few words.
        package let title: String
        /// The paths that clients may find, each leaf first and root last; several ones if a CA is cross-signed.
        package let paths: [[CertificateFacts]]

        /// Creates a step.
        package init(day: Day, title: String, paths: [[CertificateFacts]]) {
            self.day = day
            self.title = title
            self.paths = paths
        }
    }

    /// A version of an app.
    package struct Release: Sendable {
        /// The day on which users can install it.
        package var day: Day
        /// Its name.
        package let version: String
        /// The pins of the version, and their mechanism.
        package let policy: any TrustPolicy
        /// The policy file as the version ships it.
        package let file: [UInt8]

        /// Creates a release.
        package init(day: Day, version: String, policy: any TrustPolicy, file: [UInt8] = []) {
            self.day = day
            self.version = version
            self.policy = policy
            self.file = file
        }
    }

    /// The pace at which users take up a new version.
    package struct Adoption: Sendable {
        /// The days after which half of those who will update have done so.
        package var halfLife = 14.0
        /// The share of users who never update, 0 to 1.
        package var never = 0.02

        /// Creates the defaults.
        package init() {}
    }

    /// The host of the server.
    package let host: Host
    /// The first and the last day of the plan.
    package let days: ClosedRange<Day>
    /// The steps of the server, in the order of their days.
    package internal(set) var server: [ServerStep]
    /// The releases, in the order of their days.
    package internal(set) var releases: [Release]
    /// The pace at which users take up new versions.
    package let adoption: Adoption
    /// The share of users who may be locked out, 0 to 1.
    package let tolerance: Double
    /// The share of users who have taken a release up, by the days since it came out.
    private let adopted: [Double]

    /// Creates a plan; its steps and releases are put in the order of their days.
    package init(
        host: Host,
        days: ClosedRange<Day>,
        server: [ServerStep],
        releases: [Release],
        adoption: Adoption = Adoption(),
        tolerance: Double = 0
    ) {
        self.host = host
        self.days = days
        self.server = server.sorted { $0.day < $1.day }
        self.releases = releases.sorted { $0.day < $1.day }
        self.adoption = adoption
        self.tolerance = tolerance
        // Of those who update, one in a million is left after 20 half-lives.
        let half = Self.root(adoption.halfLife)
        var left = 1.0
        adopted = (0...Int(20 * adoption.halfLife)).map { _ in
            defer { left *= half }
            return (1 - adoption.never) * (1 - left)
        }
    }

    /// The share of users of each release on a day, in the order of the releases.
    ///
    /// All users have the first release from the beginning. Of those who update, half take a release up within
    /// ``Adoption/halfLife`` days.
    package func shares(on day: Day) -> [Double] {
        // The share of users who have this release or a newer one.
        var reached = releases.map { release in
            day < release.day ? 0 : adopted[min(day - release.day, adopted.count - 1)]
        }
        guard !reached.isEmpty else { return [] }
        reached[0] = 1
        return reached.indices.map { index in
            reached[index] - (index + 1 < reached.count ? reached[index + 1] : 0)
        }
    }

    /// The share that is left after a day, if one half is left after a number of days.
    private static func root(_ days: Double) -> Double {
        // The series of e^-x; x is ln 2 at most, so that 16 terms are exact.
        let exponent = -0.693_147_180_559_945_3 / days
        var term = 1.0
        return (1...16).reduce(1.0) { sum, index in
            term *= exponent / Double(index)
            return sum + term
        }
    }
}
