Feature: Drivers restore their ResourceSlices

  @case:restored
  @DRA/slice/driver-reconciles
  Scenario: A driver reverts a change, a deletion and an addition of ResourceSlices by other clients
    Given a driver with 2 devices
    When another client removes devices from a ResourceSlice of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
    When another client deletes the ResourceSlices of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
    When another client adds a ResourceSlice to the pool of the driver
    And the kubelet waits until the driver has published its ResourceSlices
    Then the driver publishes all its devices in complete pools
