import PinholeModel

extension Configuration {
    /// The counts and sizes of ``Limits`` that a user may change, and within which bounds.
    static var counts: [(key: String, path: WritableKeyPath<Limits, Int>, range: ClosedRange<Int64>)] {
        [
            ("headBytes", \.headBytes, 1 << 10...16 << 20),
            ("fieldCount", \.fieldCount, 10...100_000),
            ("trailerBytes", \.trailerBytes, 0...16 << 20),
            ("queuedBytes", \.queued, 1 << 20...64 << 30),
            ("heldBodyBytes", \.heldBody, 0...1 << 30),
            ("heldBodiesBytes", \.heldBodies, 0...64 << 30),
            ("tunnels", \.tunnels, 1...1_000_000),
            ("pooledConnections", \.pooledConnections, 0...10_000),
        ]
    }

    /// The deadlines of ``Limits`` that a user may change, in seconds.
    static var deadlines: [(key: String, path: WritableKeyPath<Limits, Duration>)] {
        [
            ("pooledAfterSeconds", \.pooledAfter),
            ("pooledIdleSeconds", \.pooledIdle),
            ("connectTimeoutSeconds", \.connectTimeout),
            ("handshakeTimeoutSeconds", \.handshakeTimeout),
            ("headTimeoutSeconds", \.headTimeout),
            ("idleTimeoutSeconds", \.idleTimeout),
            ("drainTimeoutSeconds", \.drainTimeout),
            ("heldBodySeconds", \.heldBodyTime),
            ("resolutionLifetimeSeconds", \.resolutionLifetime),
        ]
    }
}
