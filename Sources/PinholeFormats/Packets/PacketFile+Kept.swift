import PinholeModel
import PinholeStore

/// Writes the packets that the proxy kept: both sides of it, encrypted as they passed, with their secrets.
extension PacketFile {
    /// Writes the kept connections of a flow.
    func writeKept(_ flow: FlowID) throws(CaptureFailure) {
        let secrets = try reader.secrets(of: flow)
        if !secrets.isEmpty { try append(PacketBlock.secrets(secrets)) }
        var kept = KeptPackets()
        try reader.packets(of: flow) { packet throws(CaptureFailure) in
            try append(kept.blocks(packet, start: nextStart))
        }
    }
}
