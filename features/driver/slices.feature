Feature: A driver publishes its devices in ResourceSlices

  @case:published
  @DRIVER/slices/published @DRIVER/slices/complete
  Scenario: A driver with 2 devices publishes complete pools
    Given a driver with 2 devices
    When the driver is terminated and started again
    Then the driver publishes all its devices in complete pools

  @case:complete-with-counters
  @DRIVER/slices/complete
  Scenario: A driver whose devices consume counters publishes complete pools
    Given a driver with 2 devices that offers compatibility groups
    When the driver is terminated and started again
    Then the driver publishes all its devices in complete pools

  @case:prepared-devices
  @DRIVER/slices/published
  Scenario: A driver still publishes a device that is prepared for a ResourceClaim
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When nothing happens for 5 seconds
    Then the driver publishes all its devices in complete pools

  @case:empty-pool
  @DRIVER/slices/empty-pool
  Scenario: A driver without devices publishes an empty ResourceSlice
    Given a driver with 1 device
    When the driver is terminated and started again without devices
    Then the driver publishes complete pools without devices

  @case:owned-by-the-node
  @DRIVER/slices/owner
  Scenario: A ResourceSlice with a nodeName is owned by that node
    Given a driver with 1 device
    When the kubelet is restarted
    Then the node owns each ResourceSlice of the driver that names it

  @case:restored-slices-owned-by-the-node
  @DRIVER/slices/owner
  Scenario: A ResourceSlice that a driver publishes again is owned by the node
    Given a driver with 2 devices
    When another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the node owns each ResourceSlice of the driver that names it

  @case:no-writes-at-rest
  @DRIVER/slices/no-idle-writes
  Scenario: A driver writes no ResourceSlice during 5 seconds without any event
    Given a driver with 1 device
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-at-registrations
  @DRIVER/slices/no-idle-writes
  Scenario: A driver writes no ResourceSlice if the kubelet restarts and deletes none
    Given a driver with 1 device
    When the kubelet is restarted
    Then the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-for-a-prepared-claim
  @DRIVER/slices/no-idle-writes
  Scenario: A driver writes no ResourceSlice if it prepares and unprepares a ResourceClaim
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    And the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice
    When the kubelet unprepares ResourceClaim "c"
    Then the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-after-an-outage
  @DRIVER/slices/no-idle-writes
  Scenario: A driver writes no ResourceSlice after an outage of the API server
    Given a driver with 1 device
    When the API server becomes unavailable
    And nothing happens for 5 seconds
    And the API server becomes available again
    Then the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-for-forty-seconds
  @DRIVER/slices/no-idle-writes
  Scenario: A driver writes no ResourceSlice during 40 seconds without any event
    Given a driver with 1 device
    When nothing happens for 40 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-at-restarts
  @DRIVER/slices/restart-writes-nothing
  Scenario: A driver that restarts 3 times with the same devices writes no ResourceSlice
    Given a driver with 2 devices
    When the driver is terminated and started again 3 times
    Then the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:no-writes-at-a-restart-with-prepared-claims
  @DRIVER/slices/restart-writes-nothing
  Scenario: A driver that restarts with a prepared ResourceClaim writes no ResourceSlice
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1
    When the driver is killed and started again
    Then the driver writes no ResourceSlice
    When nothing happens for 5 seconds
    Then the driver writes no ResourceSlice

  @case:generation-raised
  @DRIVER/slices/generation @DRIVER/slices/complete
  Scenario: A driver with fewer devices raises the generation if several ResourceSlices change
    Given a driver with 2 devices
    When the driver is terminated and started again with fewer devices
    Then the driver publishes complete pools with fewer devices than before
    And the generation of each pool with several changed ResourceSlices is higher than before

  @case:devices-back-again
  @DRIVER/slices/complete
  Scenario: A driver that restarts with fewer devices, then with all, publishes complete pools
    Given a driver with 2 devices
    When the driver is terminated and started again with fewer devices
    Then the driver publishes complete pools with fewer devices than before
    When the driver is terminated and started again
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:published-after-wiping
  @DRIVER/slices/after-wiping
  Scenario: A driver publishes its devices again if ResourceSlices were deleted before its start
    Given a driver with 2 devices
    When the driver is killed
    And another client deletes the ResourceSlices of the driver
    And the driver is started
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:published-after-partial-wiping
  @DRIVER/slices/after-wiping
  Scenario: A driver publishes its devices again if one ResourceSlice was deleted before its start
    Given a driver with 2 devices
    When the driver is killed
    And another client deletes the last ResourceSlice of the driver
    And the driver is started
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:published-after-deletion
  @DRIVER/slices/after-deletion
  Scenario: A running driver publishes its devices again if its ResourceSlices are deleted
    Given a driver with 2 devices
    When another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:last-slice-deleted
  @DRIVER/slices/after-deletion
  Scenario: A running driver publishes its devices again if its last ResourceSlice is deleted
    Given a driver with 2 devices
    When another client deletes the last ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:published-after-two-deletions
  @DRIVER/slices/after-deletion
  Scenario: A running driver publishes its devices again after each of two deletions
    Given a driver with 2 devices
    When another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
    When another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:published-after-outage
  @DRIVER/slices/after-deletion
  Scenario: A driver publishes its devices again if they are deleted after an API server outage
    Given a driver with 2 devices
    When the API server becomes unavailable
    And nothing happens for 5 seconds
    And the API server becomes available again
    And another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:restored-after-edit
  @DRIVER/slices/after-edit
  Scenario: A running driver restores devices that another client removes from a ResourceSlice
    Given a driver with 2 devices
    When another client removes devices from a ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:attribute-removed
  @DRIVER/slices/after-edit
  Scenario: A running driver removes an attribute that another client adds to a device
    Given a driver with 2 devices
    When another client adds an attribute to a device of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:capacity-removed
  @DRIVER/slices/after-edit
  Scenario: A running driver removes a capacity that another client adds to a device
    Given a driver with 2 devices
    When another client adds a capacity to a device of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:device-of-the-last-slice-removed
  @DRIVER/slices/after-edit
  Scenario: A running driver removes a device that another client adds to the last ResourceSlice
    Given a driver with 2 devices
    When another client adds a device to the last ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:count-restored
  @DRIVER/slices/after-edit
  Scenario: A running driver restores the resourceSliceCount that another client raises
    Given a driver with 2 devices
    When another client raises resourceSliceCount in a ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:foreign-slice-deleted
  @DRIVER/slices/foreign
  Scenario: A running driver deletes a ResourceSlice that another client adds to its pool
    Given a driver with 2 devices
    When another client adds a ResourceSlice to the pool of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:newer-slice-deleted
  @DRIVER/slices/foreign
  Scenario: A running driver replaces a ResourceSlice of a higher generation in its pool
    Given a driver with 2 devices
    When another client adds a ResourceSlice of a higher generation to the pool of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools

  @case:slices-of-others-at-start
  @DRIVER/slices/others-unchanged
  Scenario: A driver that starts keeps ResourceSlices of other drivers and other nodes
    Given a driver with 2 devices
    When the driver is killed
    And another client deletes the ResourceSlices of the driver
    And the driver is started
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
    And the ResourceSlices of other drivers and other nodes are unchanged

  @case:slices-of-others-after-changes
  @DRIVER/slices/others-unchanged
  Scenario: A driver that restores its ResourceSlices keeps those of other drivers and other nodes
    Given a driver with 2 devices
    When another client removes devices from a ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    And another client adds a ResourceSlice to the pool of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the ResourceSlices of other drivers and other nodes are unchanged

  @case:slices-of-others-at-end
  @DRIVER/slices/others-unchanged
  Scenario: A driver that is terminated keeps ResourceSlices of other drivers and other nodes
    Given a driver with 1 device
    When the driver is terminated
    Then the ResourceSlices of other drivers and other nodes are unchanged

  @case:dropped-groups
  @DRIVER/slices/dropped-fields
  Scenario: A driver publishes its devices if the API server drops compatibilityGroups
    Given a driver with 3 devices that offers compatibility groups
    When the API server restarts with the feature gate "DRADeviceCompatibilityGroups" off
    And another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
    When nothing happens for 5 seconds
    Then the driver is running
    And the driver writes no ResourceSlice
