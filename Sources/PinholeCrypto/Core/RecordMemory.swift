import CTLSRecords

/// The memory that libssl takes for records.
package enum RecordMemory {
    /// Lets each thread keep a few of libssl's buffers for the next record, instead of asking malloc for 17 KiB four times in
    /// an exchange.
    ///
    /// To be called before anything else of this module.
    ///
    /// - Returns: Whether it is so now; not where memory was taken before, nor under the address sanitizer.
    @discardableResult
    package static func keep() -> Bool { pinhole_keep_record_buffers() == 1 }
}
