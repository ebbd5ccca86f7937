import CLinux
import Glibc

/// Asks the kernel for the owner of a socket of this machine, by the ends of its connection (sock_diag(7)).
///
/// The kernel answers for sockets of every user in the network namespace of this process.
final class SocketDiagnosis {
    private let descriptor: Int32
    private var sequence: UInt32 = 0

    /// Opens the socket to the kernel.
    ///
    /// - Throws: ``SystemFailure`` when the system does not support it.
    init() throws(SystemFailure) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_NETLINK, kind, NETLINK_SOCK_DIAG)
        guard descriptor >= 0 else { throw SystemFailure("could not ask for sockets (sock_diag)", errno) }
    }

    deinit { close(descriptor) }

    /// Returns the owner of the socket with these ends; `nil` if there is none or it was closed.
    func owner(of ends: ConnectionEnds) -> SocketOwner? {
        sequence &+= 1
        let question = SocketQuestion(ends, sequence: sequence)
        guard question.bytes.withUnsafeBytes({ send(descriptor, $0.baseAddress, $0.count, 0) }) > 0 else {
            return nil
        }
        // The kernel has answered when `send` returns. Answers to earlier questions are skipped.
        while true {
            var answer = [UInt8](repeating: 0, count: 1024)
            let count = answer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 || errno == EINTR else { return nil }
            answer.removeLast(answer.count - max(0, count))
            if question.isAnswered(by: answer) { return question.owner(in: answer) }
        }
    }
}
