Feature: A kubelet keeps its time limits
  These cases wait for 30 seconds to a minute each. All other cases of kubelets take a few seconds.

  Background:
    Given DRA driver "dra.example.com" on the node

  @case:call-times-out
  @KUBELET/prepare/timeout
  Scenario: A call to a driver that does not answer ends after 45 seconds
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And preparing pod "p" takes at most 50 seconds
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"

  @case:metric-of-a-timeout
  @KUBELET/metrics/grpc-operations
  Scenario: A metric counts a call to a driver that does not answer as DeadlineExceeded
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet prepares pod "p"
    Then the metric "dra_grpc_operations_duration_seconds" with "driver_name=dra.example.com, grpc_status_code=DeadlineExceeded" is 1

  @case:pod-that-is-gone
  @KUBELET/unprepare/gone-pods
  Scenario: The ResourceClaim of a pod that was removed from the node is unprepared within a minute
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet no longer has pod "p"
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:driver-away
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a driver are deleted 30 seconds after the driver disconnects
    Given DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    When driver "dra.example.com" is stopped
    And the kubelet runs for 22 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    When the kubelet runs for at most 20 seconds until a ResourceSlice is deleted
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" exist

  @case:driver-comes-back
  @KUBELET/wiping/cancelled @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a driver that connects again within 30 seconds are kept
    Given DRA driver "nic.example.com" on the node
    And DRA driver "fpga.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver           |
      | gpu-0  | dra.example.com  |
      | nic-0  | nic.example.com  |
      | fpga-0 | fpga.example.com |
    When driver "dra.example.com" is stopped
    And driver "nic.example.com" is stopped
    And the first instance of driver "fpga.example.com" crashes
    And the kubelet runs for 10 seconds
    And driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the second instance of driver "nic.example.com" is started
    Then the kubelet tells the second instance of driver "nic.example.com" that it is registered
    When the first instance of driver "fpga.example.com" serves again
    And the kubelet runs for 30 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    And the ResourceSlices of driver "nic.example.com" exist
    And the ResourceSlices of driver "fpga.example.com" exist

  @case:one-of-two-instances-away
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a driver are kept while one of its two instances is connected
    Given a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the second instance of driver "dra.example.com" is stopped
    And the kubelet runs for 36 seconds
    Then the ResourceSlices of driver "dra.example.com" exist

  @case:driver-away-on-another-node
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices that a disconnected driver has for other nodes are kept
    Given DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          | node   |
      | gpu-0  | dra.example.com | node-2 |
      | nic-0  | nic.example.com | *      |
    When driver "dra.example.com" is stopped
    And driver "nic.example.com" is stopped
    And the kubelet runs for 36 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    And the ResourceSlices of driver "nic.example.com" exist

  @case:gone-pods-of-two-drivers
  @KUBELET/unprepare/gone-pods @KUBELET/unprepare/until-success
  Scenario: A driver that fails for removed pods does not delay a removed pod of another driver
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "a" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "b" is already allocated
      | device |
      | gpu-1  |
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "a"
    And a pod "q" that uses ResourceClaim "b"
    And a pod "s" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q, s"
    Then pod "s" is prepared
    When driver "dra.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet no longer has pod "p"
    And the kubelet no longer has pod "q"
    And the kubelet no longer has pod "s"
    And the kubelet runs for 62 seconds
    Then pod "p" still needs to be unprepared
    And pod "q" still needs to be unprepared
    And driver "nic.example.com" is called once to unprepare ResourceClaim "c"
    And pod "s" does not need to be unprepared

  @case:driver-without-answer-to-unprepare
  @KUBELET/prepare/timeout @KUBELET/unprepare/until-success
  Scenario: A call to unprepare that gets no answer ends after 45 seconds and is tried again
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" no longer answers calls to unprepare
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And unpreparing pod "p" takes at most 50 seconds
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:late-answer
  @KUBELET/prepare/timeout
  Scenario: A pod is prepared if each of its two drivers answers after 30 seconds
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare after 30 seconds
    And driver "nic.example.com" now answers calls to prepare after 30 seconds
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the devices "gpu-0, nic-0"

  @case:crashed-and-stopped-drivers
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a crashed driver and of a stopped driver are both deleted
    Given DRA driver "nic.example.com" on the node
    And a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
      | nic-0  | nic.example.com |
    When driver "nic.example.com" is stopped
    And the first instance of driver "dra.example.com" crashes
    And the kubelet runs for 22 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    And the ResourceSlices of driver "nic.example.com" exist
    When the kubelet runs for 14 seconds
    Then the ResourceSlices of driver "dra.example.com" are deleted
    And the ResourceSlices of driver "nic.example.com" are deleted

  @case:driver-away-twice
  @KUBELET/wiping/after-30s
  Scenario: ResourceSlices of a reconnected driver are deleted 30 seconds after it disconnects again
    Given a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
    When driver "dra.example.com" is stopped
    And the kubelet runs for 10 seconds
    And driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet runs for 3 seconds
    And driver "dra.example.com" is stopped
    And the kubelet runs for 22 seconds
    Then the ResourceSlices of driver "dra.example.com" exist
    When the kubelet runs for at most 20 seconds until a ResourceSlice is deleted
    Then the ResourceSlices of driver "dra.example.com" are deleted

  @case:gone-pod-tried-again
  @KUBELET/unprepare/gone-pods @KUBELET/unprepare/until-success
  Scenario: The shared ResourceClaim of removed pods is unprepared once its driver works again
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    And driver "dra.example.com" now answers calls to unprepare with a gRPC error
    And the kubelet no longer has pod "p"
    And the kubelet no longer has pod "q"
    And the kubelet runs for at most 75 seconds until it calls a driver
    And driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then pod "p" does not need to be unprepared
    And pod "q" does not need to be unprepared

  @case:running-pod-without-api-server
  @KUBELET/unprepare/last-pod @KUBELET/restart/no-api-server
  Scenario: A kubelet restarted without an API server does not unprepare the claims of running pods
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet loses the API server
    And the kubelet is killed and started again
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then no driver is called
    And container "main" of pod "p" gets the device "gpu-0"

  @case:unanswered-call-to-unprepare
  @KUBELET/prepare/not-while-unpreparing
  Scenario: A pod is not prepared while a call to unprepare its ResourceClaim is not answered
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" no longer answers calls to unprepare
    And the kubelet no longer has pod "p"
    And the kubelet runs for at most 75 seconds until it calls a driver
    And the kubelet prepares pod "q"
    Then preparing pod "q" fails
    And no driver is called to prepare
    But from Kubernetes 1.34 to 1.36, because a pod can be prepared while its ResourceClaim is being unprepared: pod "q" is prepared

  @case:unanswered-call-to-prepare
  @KUBELET/restart/checkpoint @KUBELET/unprepare/last-pod
  Scenario: A restarted kubelet unprepares a ResourceClaim whose call to prepare was not answered
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When the kubelet is killed and started again
    Then pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:one-of-two-instances-crashed
  @KUBELET/wiping/after-30s
  Scenario: The ResourceSlices of a driver are kept after a crash of one of its two instances
    Given a node "node-1"
    And the devices
      | device | driver          |
      | gpu-0  | dra.example.com |
    When the second instance of driver "dra.example.com" is started
    Then the kubelet tells the second instance of driver "dra.example.com" that it is registered
    When the first instance of driver "dra.example.com" crashes
    And the kubelet runs for 36 seconds
    Then the ResourceSlices of driver "dra.example.com" exist

  @case:pod-gone-after-killed-during-prepare
  @KUBELET/unprepare/gone-pods @KUBELET/restart/checkpoint
  Scenario: A kubelet killed during a prepare call and restarted unprepares the removed pod's claim
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" no longer answers calls to prepare
    And the kubelet is killed during a call to prepare pod "p", and started again without the pod
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared
