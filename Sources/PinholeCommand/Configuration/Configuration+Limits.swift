import PinholeModel

extension Configuration {
    /// A count or a size of ``Limits`` that a user may change.
    struct Count {
        let key: String
        let path: WritableKeyPath<Limits, Int>
        let range: ClosedRange<Int64>
        let meaning: String
    }

    /// A deadline of ``Limits`` that a user may change, in seconds.
    struct Deadline {
        let key: String
        let path: WritableKeyPath<Limits, Duration>
        let meaning: String
    }

    /// The counts and sizes of ``Limits`` that a user may change, and within which bounds.
    static var counts: [Count] {
        [
            Count(
                key: "headBytes",
                path: \.headBytes,
                range: 1 << 10...16 << 20,
                meaning: "The head of a message; a longer one is answered with 431"
            ),
            Count(
                key: "fieldCount",
                path: \.fieldCount,
                range: 10...100_000,
                meaning: "Field lines in a head"
            ),
            Count(
                key: "trailerBytes",
                path: \.trailerBytes,
                range: 0...16 << 20,
                meaning: "The trailers of a chunked message"
            ),
            Count(
                key: "queuedBytes",
                path: \.queued,
                range: 1 << 20...64 << 30,
                meaning:
                    "Bytes in the queues of all connections together. Beyond that, a connection that holds more than an "
                    + "equal share reads nothing until it has written some of it; a connection that holds little goes on"
            ),
            Count(
                key: "heldBodyBytes",
                path: \.heldBody,
                range: 0...1 << 30,
                meaning:
                    "The longest body that is held for a rule that needs the whole body (docs/RULES.md#bodies)"
            ),
            Count(
                key: "heldBodiesBytes",
                path: \.heldBodies,
                range: 0...64 << 30,
                meaning: "All held bodies together"
            ),
            Count(
                key: "tunnels",
                path: \.tunnels,
                range: 1...1_000_000,
                meaning: "Tunnels at one time; each needs two descriptors, so `ulimit -n` has to allow them"
            ),
            Count(
                key: "pooledConnections",
                path: \.pooledConnections,
                range: 0...10_000,
                meaning: "Idle server connections that are kept for reuse, per core"
            ),
        ]
    }

    /// The deadlines of ``Limits`` that a user may change, in seconds.
    static var deadlines: [Deadline] {
        [
            Deadline(
                key: "pooledAfterSeconds",
                path: \.pooledAfter,
                meaning:
                    "The time without a request after which a tunnel's server connection is lent to others"
            ),
            Deadline(
                key: "pooledIdleSeconds",
                path: \.pooledIdle,
                meaning: "The time for which each is kept; servers commonly close after 60"
            ),
            Deadline(
                key: "connectTimeoutSeconds",
                path: \.connectTimeout,
                meaning: "The time for a TCP connection, all addresses together"
            ),
            Deadline(
                key: "handshakeTimeoutSeconds",
                path: \.handshakeTimeout,
                meaning: "The time for a TLS handshake, on each side"
            ),
            Deadline(
                key: "headTimeoutSeconds",
                path: \.headTimeout,
                meaning:
                    "The time from the first byte of a head to its last, against slow-loris attacks; also for a "
                    + "chunk-size line, and for trailers"
            ),
            Deadline(
                key: "idleTimeoutSeconds",
                path: \.idleTimeout,
                meaning:
                    "The time after which an open tunnel without traffic is closed; long polling needs minutes"
            ),
            Deadline(
                key: "drainTimeoutSeconds",
                path: \.drainTimeout,
                meaning: "The time that open tunnels get to finish when the proxy is asked to stop"
            ),
            Deadline(
                key: "heldBodySeconds",
                path: \.heldBodyTime,
                meaning: "The time for which the proxy waits for the rest of a held body"
            ),
            Deadline(
                key: "resolutionLifetimeSeconds",
                path: \.resolutionLifetime,
                meaning: "The time for which the result of a name look-up is reused"
            ),
        ]
    }
}
