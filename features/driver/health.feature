Feature: A driver reports the health of its devices

  @case:devices-and-timeouts
  @DRIVER/health/all-devices @DRIVER/health/kept-fresh @DRIVER/health/unimplemented
  Scenario: The health of each device is reported again before its timeout
    Given a driver with 2 devices
    When the kubelet watches the health of the devices
    Then the health reports cover all devices
    And the health of each device is reported again before its timeout

  @case:devices-after-a-restart
  @DRIVER/health/all-devices
  Scenario: A second stream of health reports covers all devices
    Given a driver with 2 devices
    When the kubelet watches the health of the devices
    And the kubelet watches the health of the devices
    Then the health reports cover all devices
