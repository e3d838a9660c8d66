Feature: A kubelet registers DRA drivers

  @case:unknown-services
  @KUBELET/registration/refuses
  Scenario: A driver that offers only unknown services is notified that its registration failed
    Given DRA driver "dra.example.com" on the node with the services "v9.DRAPlugin, v1.DRAResourceHealth"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is not registered
    And preparing pod "p" fails

  @case:next-to-a-rejected-driver
  @KUBELET/registration/discovers @KUBELET/registration/refuses
  Scenario: A driver is registered although another driver is rejected
    Given DRA driver "a.example.com" on the node with the services "v9.DRAPlugin"
    And DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "a.example.com" that it is not registered
    And the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared

  @case:first-known-service
  @KUBELET/registration/first-known
  Scenario Outline: The kubelet calls the first of a driver's services that the kubelet supports
    Given DRA driver "dra.example.com" on the node with the services "<services>"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c" by the service <service>
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c" by the service <service>

    @key:services
    Examples:
      | services                                 | service            |
      | v1.DRAPlugin, v1beta1.DRAPlugin          | v1.DRAPlugin       |
      | v1beta1.DRAPlugin, v1.DRAPlugin          | v1beta1.DRAPlugin  |
      | v9.DRAPlugin, v1beta1.DRAPlugin          | v1beta1.DRAPlugin  |
      | v1.DRAResourceHealth, v1.DRAPlugin       | v1.DRAPlugin       |

  @case:failing-get-info
  @KUBELET/registration/retries
  Scenario: A driver whose first GetInfo calls fail is registered later
    Given DRA driver "dra.example.com" on the node, whose first 2 GetInfo calls fail
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared

  @case:unknown-services-at-first
  @KUBELET/registration/retries
  Scenario: A driver that was not registered is registered once GetInfo returns a known service
    Given DRA driver "dra.example.com" on the node, whose first 2 GetInfo answers have only an unknown service
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet runs for 10 seconds
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then pod "p" is prepared

  @case:other-registration-socket
  @KUBELET/registration/discovers
  Scenario Outline: A driver whose registration socket is <socket> is registered
    Given DRA driver "dra.example.com" on the node, whose registration socket is "<socket>"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared

    @key:socket
    Examples:
      | socket          |
      | plugin          |
      | dra/plugin.sock |
      | a/b/plugin.sock |

  @case:folder-made-later
  @KUBELET/registration/discovers
  Scenario: A driver whose registration socket is in a directory created later is registered
    Given DRA driver "dra.example.com" on the node, whose registration socket is "dra/plugin.sock"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" through its second instance

  @case:empty-endpoint
  @KUBELET/registration/discovers
  Scenario: A driver with an empty endpoint is called through its registration socket
    Given DRA driver "dra.example.com" on the node, whose GetInfo answer has an empty endpoint
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:empty-endpoints-of-two-instances
  @KUBELET/registration/discovers @KUBELET/registration/falls-back
  Scenario: Each of two instances with an empty endpoint is called through its own registration socket
    Given DRA driver "dra.example.com" on the node, whose GetInfo answer has an empty endpoint
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c" through its second instance

  @case:failing-notification
  @KUBELET/registration/retries
  Scenario: A driver is registered once GetInfo succeeds, even if NotifyRegistrationStatus calls fail
    Given DRA driver "dra.example.com" on the node, whose first 2 NotifyRegistrationStatus calls fail
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is registered
    And pod "p" is prepared
    But from Kubernetes 1.34 to 1.35, because a driver whose NotifyRegistrationStatus call fails stays registered: pod "p" is prepared

  @case:other-services-after-restart
  @KUBELET/registration/first-known @KUBELET/registration/discovers
  Scenario: A driver that restarts with another service and socket is called through them
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" by the service v1.DRAPlugin
    When driver "dra.example.com" is stopped
    And driver "dra.example.com" is started with a new socket for the service "v1beta1.DRAPlugin"
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c" by the service v1beta1.DRAPlugin

  @case:removed-socket
  @KUBELET/registration/deregisters
  Scenario: A driver that removes its registration socket is not registered until it starts again
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" is stopped
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then pod "p" is prepared

  @case:removed-socket-of-a-running-driver
  @KUBELET/registration/deregisters
  Scenario: A driver that removes its registration socket and still runs is not called
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" removes its registration socket
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And no driver is called

  @case:removed-socket-after-restart
  @KUBELET/registration/deregisters
  Scenario: A driver that stops after a restart of the kubelet is registered again when it starts
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    Then the kubelet tells driver "dra.example.com" that it is registered
    When driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    When driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared

  @case:same-endpoint
  @KUBELET/registration/same-endpoint
  Scenario: A second instance of a driver is not registered with the endpoint of the first instance
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started with the endpoint of the first
    Then the kubelet tells the second instance of driver "dra.example.com" that it is not registered
    When the kubelet prepares pod "p"
    Then pod "p" is prepared

  @case:endpoint-of-the-oldest
  @KUBELET/registration/same-endpoint
  Scenario: A third instance of a driver is not registered with the endpoint of the first instance
    Given DRA driver "dra.example.com" on the node
    And a pod "p" without ResourceClaims
    When the second instance of driver "dra.example.com" is started
    And the third instance of driver "dra.example.com" is started with the endpoint of the first
    Then the kubelet tells the third instance of driver "dra.example.com" that it is not registered

  @case:rolling-update
  @KUBELET/registration/falls-back
  Scenario: The newest instance of a driver is called, and the older one after the newest has stopped
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" through its second instance
    When the second instance of driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c" through its first instance

  @case:crashed-instance
  @KUBELET/registration/falls-back
  Scenario: An older instance of a driver is called after the newest instance has crashed
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the second instance of driver "dra.example.com" crashes
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c" through its first instance
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c" through its first instance

  @case:crashed-instance-of-three
  @KUBELET/registration/falls-back
  Scenario: After the newest of three instances has crashed, the newer of the other two is called
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    And the third instance of driver "dra.example.com" is started
    And the third instance of driver "dra.example.com" crashes
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c" through its second instance

  @case:instance-that-serves-again
  @KUBELET/registration/falls-back
  Scenario: The newest instance of a driver is called again once it serves again
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    And the second instance of driver "dra.example.com" crashes
    And the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" through its first instance
    When the second instance of driver "dra.example.com" serves again
    And the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c" through its second instance

  @case:instance-without-health-serves-again
  @KUBELET/registration/falls-back
  Scenario: The newest instance without a health service is called again once it serves again
    Given DRA driver "dra.example.com" on the node with the services "v1.DRAPlugin"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    And the second instance of driver "dra.example.com" crashes
    And the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" through its first instance
    When the second instance of driver "dra.example.com" serves again
    And the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c" through its second instance

  @case:plugin-type-in-lower-case
  @KUBELET/registration/plugin-type
  Scenario: A driver that registers with a plugin type in lower case is told that it is not registered
    Given DRA driver "dra.example.com" on the node, which registers with the plugin type "draplugin"
    And a pod "p" without ResourceClaims
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is not registered

  @case:unknown-plugin-type
  @KUBELET/registration/plugin-type
  Scenario: A driver that registers with an unknown plugin type is told that it is not registered
    Given DRA driver "dra.example.com" on the node, which registers with the plugin type "ExamplePlugin"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the kubelet tells driver "dra.example.com" that it is not registered
    And preparing pod "p" fails
    And no driver is called

  @case:slices-of-another-node
  @KUBELET/wiping/at-start
  Scenario: A starting kubelet keeps ResourceSlices of other nodes and those with allNodes: true
    Given DRA driver "dra.example.com" on the node
    And DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver             | node   |
      | gpu-0  | dra.example.com    | node-1 |
      | nic-0  | nic.example.com    | node-2 |
      | fpga-0 | fabric.example.com | *      |
    And a pod "p" without ResourceClaims
    When the kubelet prepares pod "p"
    Then the ResourceSlices of driver "nic.example.com" exist
    When the kubelet is killed and started again
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" exist
    And the ResourceSlices of driver "fabric.example.com" exist

  @case:slices-at-start-without-api-server
  @KUBELET/wiping/at-start
  Scenario: A kubelet that starts without an API server later deletes its node's ResourceSlices
    Given DRA driver "dra.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
    And a pod "p" without ResourceClaims
    When the kubelet prepares pod "p"
    Then the ResourceSlices of driver "dra.example.com" exist
    When the kubelet loses the API server
    And the kubelet is killed and started again
    And the kubelet reaches the API server again
    And the kubelet runs for at most 20 seconds until a ResourceSlice is deleted
    Then the ResourceSlices of driver "dra.example.com" are deleted

  @case:slices-at-start
  @KUBELET/wiping/at-start
  Scenario: A kubelet deletes all ResourceSlices of its node when it starts
    Given DRA driver "dra.example.com" on the node
    And DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" without ResourceClaims
    When the kubelet prepares pod "p"
    Then the ResourceSlices of driver "dra.example.com" exist
    And the ResourceSlices of driver "nic.example.com" exist
    When the kubelet is killed and started again
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" are deleted

  @case:older-instance-stopped
  @KUBELET/registration/falls-back @KUBELET/registration/deregisters
  Scenario: The newest instance of a driver is called after the older instance has stopped
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the first instance of driver "dra.example.com" is stopped
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c" through its second instance
    When the second instance of driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails

  @case:older-instance-started-again
  @KUBELET/registration/falls-back @KUBELET/registration/discovers
  Scenario: An instance of a driver that starts again is the newest instance and is called
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the first instance of driver "dra.example.com" is stopped
    And driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet runs for 2 seconds
    And the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" through its first instance

  @case:started-after-a-crash
  @KUBELET/registration/discovers
  Scenario: A driver that has crashed and replaces its registration socket is registered again
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the first instance of driver "dra.example.com" crashes
    And driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:slices-of-an-absent-driver-at-start
  @KUBELET/wiping/at-start
  Scenario: A kubelet that starts deletes the ResourceSlices of a driver that is not on the node
    Given DRA driver "dra.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver           |
      | gpu-0  | dra.example.com  |
      | fpga-0 | fpga.example.com |
    And a pod "p" without ResourceClaims
    When the kubelet prepares pod "p"
    Then the ResourceSlices of driver "fpga.example.com" exist
    When the kubelet is killed and started again
    Then the ResourceSlices of driver "fpga.example.com" are deleted
    And the ResourceSlices of driver "dra.example.com" are deleted

  @case:service-of-each-instance
  @KUBELET/registration/first-known @KUBELET/registration/falls-back
  Scenario: Each instance of a driver is called by the service that this instance offers
    Given DRA driver "dra.example.com" on the node with the services "v1beta1.DRAPlugin"
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the second instance of driver "dra.example.com" is started with the service "v1.DRAPlugin"
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c" by the service v1.DRAPlugin
    When the second instance of driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c" by the service v1beta1.DRAPlugin
