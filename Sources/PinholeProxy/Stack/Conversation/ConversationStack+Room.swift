import PinholeModel

/// The values that a driver needs before it reads and writes: how much waits, and which side has room.
extension ConversationStack: ClientStack {
    /// Whether the stack opens a connection, so that its client may still be a stranger.
    package static var isOpening: Bool { false }

    /// Whether more should be read from the client.
    ///
    /// Flow control bounds bodies stream by stream. This bounds the bytes that wait to be sent to the client.
    package var wantsReadFromClient: Bool {
        mutating get {
            guard !client.isMultiplexed else {
                return clientIsIgnored
                    || client.pendingInput < limits.readSize && client.pendingOutput < limits.outputHighWater
            }
            guard client.owed < limits.outputHighWater else { return false }
            guard !clientIsIgnored else { return true }
            // Nothing of a discarded request waits for its server, whose connection may be closed already.
            let link = current?.discardsRequest == true ? nil : current?.link
            let waiting = link?.peer.value.pendingOutput ?? 0
            return client.pendingInput < client.inputLimit(limits) && waiting < limits.outputHighWater
        }
    }

    /// Whether more should be read from a server.
    package mutating func wantsRead(_ id: LinkID) -> Bool {
        guard let link = links[id] else { return false }
        guard link.peer.value.owed < limits.outputHighWater else { return false }
        let pending = link.peer.value.pendingInput
        if !link.peer.value.isMultiplexed, link.mode == .messages || link.mode == .relayed {
            let isHeldUp = !client.isMultiplexed && client.pendingOutput >= limits.outputHighWater
            return pending < link.peer.value.inputLimit(limits) && !isHeldUp
        }
        return pending < limits.readSize && link.peer.value.pendingOutput < limits.outputHighWater
    }

    /// Whether waiting bytes may be processed once an outbox has room.
    package var hasMoreToDo: Bool {
        mutating get {
            client.hasMoreToDo || links.values.contains { $0.peer.value.hasMoreToDo }
        }
    }

    /// Whether so many bytes wait to be sent to one side that nothing more is taken from the other side for it.
    package var isFull: Bool {
        mutating get {
            client.pendingOutput >= limits.outputHighWater
                || links.values.contains { $0.peer.value.pendingOutput >= limits.outputHighWater }
        }
    }

    /// The memory of the bytes that wait in both directions, in bytes.
    package var queued: Int {
        mutating get {
            links.values.reduce(client.queued) { $0 + $1.peer.value.queued }
        }
    }

    /// Whether bytes wait to be written to a side, or wait in the queues of its streams.
    package var hasPendingOutput: Bool {
        mutating get {
            client.hasPendingOutput || links.values.contains { $0.peer.value.hasPendingOutput }
        }
    }
}
