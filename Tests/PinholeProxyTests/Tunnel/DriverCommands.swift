import PinholeCrypto
import PinholeModel
import PinholeWire

@testable import PinholeProxy

/// Commands for the driver, by the names that playbooks of a tunnel give them.
extension TunnelCommand {
    static let abort = Self.driver(.abort)
    static let closeServer = Self.driver(.closeLink(.first))
    static let releaseServer = Self.driver(.releaseLink(.first))
    static let resetClient = Self.driver(.resetClient)
    static let resetServer = Self.driver(.resetLink(.first))

    static func arm(_ deadline: Deadline, _ time: Duration) -> Self { .driver(.arm(deadline, time)) }
    static func authenticate(_ check: LoginCheck) -> Self { .driver(.authenticate(.opening, check)) }
    static func dial(_ target: DialTarget) -> Self { .driver(.dial(.first, target)) }
    static func mint(_ request: LeafRequest) -> Self { .driver(.mint(request)) }
}

/// Commands for the driver, by the names that playbooks of a conversation give them.
extension ConversationCommand {
    static let abort = Self.driver(.abort)
    static let closeClient = Self.driver(.closeClient)
    static let resetConnection = Self.driver(.resetClient)

    static func arm(_ deadline: Deadline, _ time: Duration) -> Self { .driver(.arm(deadline, time)) }
    static func armHandshake(_ link: LinkID, _ time: Duration) -> Self { .driver(.armHandshake(link, time)) }
    static func authenticate(_ lane: Lane, _ check: LoginCheck) -> Self {
        .driver(.authenticate(lane, check))
    }
    static func closeLink(_ link: LinkID) -> Self { .driver(.closeLink(link)) }
    static func consult(_ lane: Lane, _ question: Consultation) -> Self { .driver(.consult(lane, question)) }
    static func dial(_ link: LinkID, _ target: DialTarget) -> Self { .driver(.dial(link, target)) }
    static func openTunnel(_ lane: Lane, _ head: RequestHead) -> Self { .driver(.openTunnel(lane, head)) }
    static func releaseLink(_ link: LinkID) -> Self { .driver(.releaseLink(link)) }
    static func resetLink(_ link: LinkID) -> Self { .driver(.resetLink(link)) }
    static func withdraw(_ lane: Lane) -> Self { .driver(.withdraw(lane)) }
}
