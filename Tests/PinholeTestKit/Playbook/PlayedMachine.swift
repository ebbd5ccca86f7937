package import PinholeModel

/// A machine that a ``Playbook`` can play: events in, commands out, time as a parameter.
///
/// The machine's own module knows nothing of it; a test says `extension Tunnel: PlayedMachine {}`.
package protocol PlayedMachine<Event, Command>: ~Copyable {
    /// What happens to the machine.
    associatedtype Event: Sendable
    /// What the machine asks for.
    associatedtype Command: Equatable & Sendable

    /// Takes `event` in and appends what is to be done to `commands`.
    mutating func handle(_ event: Event, at time: Timestamp, into commands: inout [Command])
}
