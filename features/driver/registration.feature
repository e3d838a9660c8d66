Feature: A driver registers with the kubelet

  @case:info-of-the-driver
  @DRIVER/registration/socket @DRIVER/registration/info @DRIVER/registration/within-a-second
  @DRIVER/registration/known-service
  Scenario: GetInfo returns type, name, endpoint and a known service within a second
    Given a driver with 1 device
    When the kubelet is restarted
    Then GetInfo returns the type DRAPlugin, the name of the driver, its endpoint and services
    And GetInfo returns within 1 second

  @case:info-without-api-server
  @DRIVER/registration/within-a-second
  Scenario: GetInfo returns within a second while the API server is unavailable
    Given a driver with 1 device
    When the API server becomes unavailable
    And the kubelet is restarted
    Then GetInfo returns within 1 second
    When the API server becomes available again
    Then the driver is running

  @case:newest-service-first
  @DRIVER/registration/newest-first
  Scenario: GetInfo returns v1.DRAPlugin before v1beta1.DRAPlugin
    Given a driver with 1 device
    When the kubelet is restarted
    Then GetInfo returns the newest service of the driver first

  @case:services-answer
  @DRIVER/registration/services-answer @DRIVER/prepare/empty
  Scenario: Each service that GetInfo names answers a call without ResourceClaims
    Given a driver with 1 device
    When the kubelet prepares no ResourceClaim by each service of the driver
    Then each call succeeds

  @case:older-service
  @DRIVER/registration/older-kubelets
  Scenario: A kubelet that knows only v1beta1.DRAPlugin prepares and unprepares a ResourceClaim
    Given a driver with 1 device that offers older service
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet prepares ResourceClaim "c" by the service v1beta1.DRAPlugin
    Then ResourceClaim "c" is prepared with device 1
    And a container runtime finds the CDI devices of ResourceClaim "c"
    When the kubelet unprepares ResourceClaim "c" by the service v1beta1.DRAPlugin
    Then ResourceClaim "c" is unprepared
    And no CDI device of ResourceClaim "c" is left

  @case:ready-when-registered
  @DRIVER/registration/ready-before
  Scenario: A driver that has just registered prepares a ResourceClaim
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the driver is terminated
    And the driver is started
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1

  @case:rejected-and-registered-later
  @DRIVER/registration/refusal
  Scenario: A driver whose registration the kubelet rejects is registered a second later
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet rejects the registration of the driver and accepts it a second later
    Then the driver is running
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1

  @case:registered-again
  @DRIVER/registration/again
  Scenario: A driver registers again after each of two restarts of the kubelet
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the kubelet is restarted
    And the kubelet is restarted
    And the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1

  @case:sockets-of-a-killed-driver
  @DRIVER/registration/stale-socket
  Scenario: A driver registers again after it was killed and left its sockets
    Given a driver with 1 device
    And ResourceClaim "c" is allocated device 1 of the driver
    When the driver is killed and started again
    Then 1 registration socket exists
    When the kubelet prepares ResourceClaim "c"
    Then ResourceClaim "c" is prepared with device 1

  @case:sockets-removed-at-the-end
  @DRIVER/registration/cleanup
  Scenario: A driver that is terminated removes its sockets
    Given a driver with 1 device
    When the driver is terminated
    Then no socket of the driver is left

  @case:terminated-while-health-is-watched
  @DRIVER/registration/cleanup
  Scenario: A driver that is terminated during a stream of health reports removes its sockets
    Given a driver with 1 device
    When the kubelet watches the health of the devices until the driver ends
    And the driver is terminated
    Then no socket of the driver is left

  @case:terminated-without-api-server
  @DRIVER/registration/cleanup
  Scenario: A driver that is terminated while the API server is unavailable removes its sockets
    Given a driver with 1 device
    When the API server becomes unavailable
    And the driver is terminated
    Then no socket of the driver is left
    When the API server becomes available again
    Then no socket of the driver is left

  @case:sockets-of-other-plugins
  @DRIVER/registration/others-sockets
  Scenario: The socket of another plugin remains when a driver is terminated and started again
    Given a driver with 1 device
    When the driver is terminated and started again
    Then the registration socket of another plugin exists
