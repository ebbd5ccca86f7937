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

        /// Creates a release.
        package init(day: Day, version: String, policy: any TrustPolicy) {
            self.day = day
            self.version = version
            self.policy = policy
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
    }

    /// The share of users of each release on a day, in the order of the releases.
    ///
    /// All users have the first release from the beginning. Of those who update, half take a release up within
    /// ``Adoption/halfLife`` days.
    package func shares(on day: Day) -> [Double] {
        // The share of users who have this release or a newer one.
        var reached = releases.map { release in
            let age = Double(day - release.day)
            guard age >= 0 else { return 0.0 }
            return (1 - adoption.never) * (1 - halved(age / adoption.halfLife))
        }
        guard !reached.isEmpty else { return [] }
        reached[0] = 1
        return reached.indices.map { index in
            reached[index] - (index + 1 < reached.count ? reached[index + 1] : 0)
        }
    }

    /// The half to the power of a number that is not negative.
    private func halved(_ exponent: Double) -> Double {
        let whole = exponent.rounded(.down)
        guard whole < 64 else { return 0 }
        var result = 1.0
        for _ in 0..<Int(whole) { result /= 2 }
        // The series of 2^-x for 0 ≤ x < 1; ten terms give more digits than anybody reads.
        let rest = (exponent - whole) * -0.693_147_180_559_945_3
        var term = 1.0
        var sum = 1.0
        for index in 1...10 {
            term *= rest / Double(index)
            sum += term
        }
        return result * sum
    }
}
