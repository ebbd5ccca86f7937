import CTLSRecords

/// The memory that libssl takes for records.
package enum RecordMemory {
    /// Lets each thread keep a few of libssl's buffers for the next record, instead of asking malloc for 17 KiB four times in
    /// an exchange.
    ///
    /// To be called before anything else of this module; later it changes nothing.
    package static func keep() { _ = pinhole_keep_record_buffers() }
}
