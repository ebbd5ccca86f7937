import PinholeModel

extension Configuration {
    /// The section `limits`: the numbers of ``Limits`` that a user may change.
    static var limitsSection: ConfigurationSection {
        ConfigurationSection(
            "limits",
            "bounds for peers",
            [
                .count(
                    "headBytes",
                    \.limits.headBytes,
                    in: 1 << 10...16 << 20,
                    "The size of the headers of a message; a request with more is answered with 431",
                    harm: .raised(\.limits.headBytes)
                ),
                .count(
                    "fieldCount",
                    \.limits.fieldCount,
                    in: 10...100_000,
                    "The number of headers of a message",
                    harm: .raised(\.limits.fieldCount)
                ),
                .count(
                    "trailerBytes",
                    \.limits.trailerBytes,
                    in: 0...16 << 20,
                    "The trailers of a chunked message",
                    harm: .raised(\.limits.trailerBytes)
                ),
                .count(
                    "queuedBytes",
                    \.limits.queued,
                    in: 1 << 20...64 << 30,
                    "Bytes in the queues of all connections together. Beyond that, a connection that holds more than an "
                        + "equal share reads nothing until it has written some of it; a connection that holds little goes on",
                    harm: .raised(\.limits.queued)
                ),
                .count(
                    "heldBodyBytes",
                    \.limits.heldBody,
                    in: 0...1 << 30,
                    "The longest body that is held for a rule that needs the whole body (docs/RULES.md#bodies)",
                    harm: .raised(\.limits.heldBody)
                ),
                .count(
                    "heldBodiesBytes",
                    \.limits.heldBodies,
                    in: 0...64 << 30,
                    "All held bodies together",
                    harm: .raised(\.limits.heldBodies)
                ),
                .count(
                    "tunnels",
                    \.limits.tunnels,
                    in: 1...1_000_000,
                    "Tunnels at one time. Each needs two descriptors: Pinhole raises the number of its process to 65,536, as "
                        + "far as the hard limit (`ulimit -Hn`) allows. For one more tunnel, an idle connection ends; if "
                        + "there is none, the client waits. Beside these, 1024 clients may be connected that have sent "
                        + "no request",
                    harm: .raised(\.limits.tunnels)
                ),
                .count(
                    "pooledConnections",
                    \.limits.pooledConnections,
                    in: 0...10_000,
                    "Idle server connections that are kept for reuse, per core",
                    harm: .raised(\.limits.pooledConnections)
                ),
                .seconds(
                    "pooledAfterSeconds",
                    \.limits.pooledAfter,
                    "The time without a request after which a tunnel's server connection is lent to others"
                ),
                .seconds(
                    "pooledIdleSeconds",
                    \.limits.pooledIdle,
                    "The time for which each is kept; servers commonly close after 60"
                ),
                .seconds(
                    "connectTimeoutSeconds",
                    \.limits.connectTimeout,
                    "The time for a TCP connection, all addresses together"
                ),
                .seconds(
                    "handshakeTimeoutSeconds",
                    \.limits.handshakeTimeout,
                    "The time for a TLS handshake, on each side"
                ),
                .seconds(
                    "headTimeoutSeconds",
                    \.limits.headTimeout,
                    "The time from the first byte of the headers to their last, against slow-loris attacks; also for a "
                        + "chunk-size line, and for trailers"
                ),
                .seconds(
                    "idleTimeoutSeconds",
                    \.limits.idleTimeout,
                    "The time after which an open tunnel without traffic is closed; long polling needs minutes"
                ),
                .seconds(
                    "drainTimeoutSeconds",
                    \.limits.drainTimeout,
                    "The time that open tunnels get to finish when the proxy is asked to stop"
                ),
                .seconds(
                    "heldBodySeconds",
                    \.limits.heldBodyTime,
                    "The time for which the proxy waits for the rest of a held body"
                ),
                .seconds(
                    "resolutionLifetimeSeconds",
                    \.limits.resolutionLifetime,
                    "The time for which the result of a name look-up is reused"
                ),
            ]
        )
    }
}
