/// The number and the time of the places that a server has for connections.
///
/// A server declares its bounds with their reasons beside its other limits.
package struct AdmissionBounds: Sendable, Equatable {
    /// The largest number of strangers: connections without an accepted request.
    ///
    /// It should be larger than the 64 connections that a listener accepts in one turn. Then each of them is read once
    /// before it has to give way.
    package var strangers: Int
    /// The time in which a stranger must get a request accepted.
    package var strangerTime: Duration
    /// The largest number of connections with an accepted request.
    package var places: Int
    /// The largest number of places of one holder: an account, a user of this machine, or an address.
    package var share: Int
    /// The time between two requests after which a connection is closed.
    package var idleTime: Duration
    /// The number of file descriptors that a connection needs.
    package var descriptors = 1
    /// Whether the server has a login, so that it may use the last descriptors of the process.
    ///
    /// The servers of lessons are in one process with the page of the class, and are open to everybody.
    package var hasLogin = false

    /// Creates bounds.
    package init(
        strangers: Int,
        strangerTime: Duration,
        places: Int,
        share: Int,
        idleTime: Duration,
        descriptors: Int = 1,
        hasLogin: Bool = false
    ) {
        self.strangers = strangers
        self.strangerTime = strangerTime
        self.places = places
        self.share = share
        self.idleTime = idleTime
        self.descriptors = descriptors
        self.hasLogin = hasLogin
    }
}

extension AdmissionBounds {
    /// The bounds of a server inside the process, for connections of the process itself and of tests.
    ///
    /// The numbers are larger than the tests and the lab need, and end a loop that opens connections for ever.
    package static let embedded = AdmissionBounds(
        strangers: 2048,
        strangerTime: .seconds(60),
        places: 8192,
        share: 8192,
        idleTime: .seconds(600)
    )

    /// The bounds of a lesson's server, which has no login and may be reachable from the network.
    ///
    /// One student and a phone use some ten connections. A class of thirty has sixty such servers in one process.
    package static let lesson = AdmissionBounds(
        strangers: 96,
        strangerTime: .seconds(15),
        places: 96,
        share: 64,
        idleTime: .seconds(60)
    )
}
