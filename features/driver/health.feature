Feature: A driver reports the health of its devices

  @case:stream-stays-open
  @DRIVER/health/unimplemented
  Scenario: A stream of health reports stays open, or ends with UNIMPLEMENTED at once
    Given a driver with 1 device
    When the kubelet watches the health of the devices
    Then the stream of health reports stays open, or ends with UNIMPLEMENTED at once

  @case:all-devices-reported
  @DRIVER/health/all-devices
  Scenario: A second stream of health reports covers all devices, like the first stream
    Given a driver with 2 devices
    When the kubelet watches the health of the devices
    Then the health reports cover all devices
    When the kubelet watches the health of the devices
    Then the health reports cover all devices

  @case:prepared-devices-reported
  @DRIVER/health/all-devices
  Scenario: Health reports cover a device that is prepared for a ResourceClaim
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the kubelet watches the health of the devices
    Then the health reports cover all devices

  @case:older-service
  @DRIVER/health/both-versions @DRIVER/health/all-devices
  Scenario: The service v1alpha1.DRAResourceHealth reports the health of all devices
    Given a driver with 2 devices
    When the kubelet watches the health of the devices by the service v1alpha1.DRAResourceHealth
    Then the health reports cover all devices
    And the stream of health reports stays open, or ends with UNIMPLEMENTED at once

  @case:first-report
  @DRIVER/health/first-report
  Scenario: The first report of each of two streams of health reports covers all devices
    Given a driver with 2 devices
    When the kubelet watches the health of the devices
    Then the first health report covers all devices
    When the kubelet watches the health of the devices
    Then the first health report covers all devices

  @case:reported-again
  @DRIVER/health/kept-fresh
  Scenario: The health of each reported device is reported again before its timeout
    Given a driver with 2 devices
    When the kubelet watches the health of the devices
    Then the health of each device is reported again before its timeout

  @case:reported-for-forty-seconds
  @DRIVER/health/kept-fresh
  Scenario: The health of each device is reported again before its timeout for 40 seconds
    Given a driver with 2 devices
    When the kubelet watches the health of the devices for 40 seconds
    Then the health of each device is reported again before its timeout

  @case:times-in-seconds
  @DRIVER/health/time
  Scenario: The time of a health report is not in the future
    Given a driver with 1 device
    When the kubelet watches the health of the devices
    Then no health report has a time in the future

  @case:unprepared-devices-reported
  @DRIVER/health/all-devices
  Scenario: Health reports cover a device whose ResourceClaim was unprepared
    Given a driver with 2 devices
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c"
    And the kubelet unprepares ResourceClaim "c"
    And the kubelet watches the health of the devices
    Then the health reports cover all devices
